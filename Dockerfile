# The server in an image:
#   docker build -t dataagent .
#   docker run -d --name dataagent --restart unless-stopped -p 8000:8000 -v dataagent:/data -e DATAAGENT_API_KEYS=… dataagent
# Without a key it listens inside the container alone. docs/operating.md#docker has the rest.
FROM node:24-bookworm-slim AS made
WORKDIR /app
COPY . .
# Everything for the web page, then what the server runs with and nothing else.
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && node scripts/setup/build-web.mjs \
  && rm -rf node_modules \
  && npm ci --ignore-scripts --no-audit --no-fund --omit=dev --workspace apps/server

FROM node:24-bookworm-slim
# bubblewrap: MCP servers over stdio run confined where the container may make namespaces.
# The folders are what volumes are mounted over, which have their owner.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir -p /data/workspaces /data/memories /data/results /data/journal && chown -R node:node /data
WORKDIR /app
COPY --from=made /app/package.json /app/LICENSE ./
COPY --from=made /app/node_modules ./node_modules
COPY --from=made /app/packages ./packages
COPY --from=made /app/apps/server ./apps/server
COPY --from=made /app/apps/web/dist ./apps/web/dist
COPY --from=made /app/scripts/health-check.mjs ./scripts/health-check.mjs
USER node
ENV NODE_ENV=production DATAAGENT_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --start-period=20s CMD ["node", "scripts/health-check.mjs"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "node", "--conditions=dataagent-source", "apps/server/src/main.ts"]
