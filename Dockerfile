# The service's image: the compiled service, what it uses of its packages, and the built pages, on Debian's C library and
# nothing else: no shell, no package manager, no npm. `make image` builds it with docker, podman or buildah.
#
# The base images are pinned by digest, each an index of amd64 and arm64; dependency updates move them. NODE_IMAGE and RUNTIME_IMAGE of
# `make image` replace them. The packages come from --build-arg NPM_CONFIG_REGISTRY=…, with the credentials of the secret "npmrc" and the
# certificate authority of the secret "ca", each if it is given. No layer keeps the secrets.
FROM docker.io/library/node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS node
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f AS libraries

FROM node AS build
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY hack/image-npm-ci hack/image-npm-ci
COPY package.json package-lock.json .npmrc ./
# The optional packages are the bundler's binary, and a Node for working on the project, in place of which this image's own is used.
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca hack/image-npm-ci \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY web/package.json web/package-lock.json web/.npmrc web/
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca hack/image-npm-ci --prefix web
COPY tsconfig.json tsconfig.build.json ./
COPY src/ src/
COPY hack/bundle-packages.ts hack/bundle-packages.ts
COPY hack/bundle/ hack/bundle/
RUN npm run build:service
# After src/, whose rules for names and keys the pages share.
COPY web/ web/
RUN npm run build:pages
COPY hack/notices.ts hack/notices.ts
COPY hack/dependencies/ hack/dependencies/
RUN node hack/notices.ts > NOTICES
COPY hack/image-node.ts hack/image-node.ts
COPY hack/image-node/ hack/image-node/
RUN node hack/image-node.ts node

# What runs is the Node that the build ran on, without the symbols that only debuggers read.
FROM libraries AS runtime
# Some builders give a new folder to the user of the moment, which in this base image is the one that the service runs as: what it runs
# must not be writable for it (docs/adr/0005-an-image-without-a-shell.md).
USER 0:0
COPY --from=build /app/node /usr/local/bin/node
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/node"]

# For `make e2e` alone: the development identity provider, whose passwords are public.
FROM runtime AS e2e-idp
COPY --from=build /app/node_modules/ node_modules/
COPY package.json ./
COPY hack/dev-idp/ hack/dev-idp/
EXPOSE 3001
CMD ["hack/dev-idp/main.ts"]

FROM runtime AS service
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Secrets Management Service" \
      org.opencontainers.image.description="Manage Kubernetes Secrets, with history, without handing out cluster credentials." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
COPY package.json LICENSE ./
COPY --from=build /app/NOTICES ./
COPY --from=build /app/dist/ dist/
COPY --from=build /app/web/dist/ web/dist/
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
# For engines without probes of their own. Kubernetes ignores it and probes /livez and /readyz itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9090) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Another program of the image, such as the doctor: docker run … dist/cmd/doctor.js
CMD ["dist/main.js"]
