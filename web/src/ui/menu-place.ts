/** Menus are part of the page's main region: outside of it, screen readers would find them in none. */
export const MENU_PLACE = {
  position: 'right',
  preventOverflow: true,
  appendTo: () => document.getElementById('main') ?? document.body,
} as const;
