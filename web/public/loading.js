// While a new version is rolled out, the page and its files may come from replicas of different versions, and each has
// the files of its own version alone. The page is loaded again then, until all of it is of one version. This file has the
// same name in every version.
const LOADED_AGAIN = 'loaded-again';
const MAX_TIMES = 10;
const PAUSE_MS = 1_000;

addEventListener('load', () => {
  // A file that did not come is a sheet without rules.
  const links = [...document.querySelectorAll('link')].filter(({ rel }) => rel === 'stylesheet');
  const hasStyles = links.every(({ sheet }) => sheet !== null && sheet.cssRules.length > 0);
  const times = Number(sessionStorage.getItem(LOADED_AGAIN));
  const hasCode = document.documentElement.dataset.started !== undefined;
  if (hasCode && hasStyles) sessionStorage.removeItem(LOADED_AGAIN);
  else if (times < MAX_TIMES) {
    sessionStorage.setItem(LOADED_AGAIN, String(times + 1));
    setTimeout(() => {
      location.reload();
    }, PAUSE_MS);
  } else if (!hasCode) document.body.textContent = "The page can't be loaded. Reload it to try again.";
});
