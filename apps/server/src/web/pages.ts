import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pagePolicy } from '../deps/index.ts'

/**
 * Serves the built browser application: its files, and its one page for every other path outside
 * the API.
 */
export async function addPages(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    ...{ root, serve: false, cacheControl: false },
    // The build has them beside the files.
    preCompressed: true,
  })

  app.get('/*', { config: { access: 'public' } }, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    if (isServicePath(path)) return reply.callNotFound()
    reply.header('content-security-policy', pagePolicy)
    if (!existsSync(join(root, 'index.html'))) return sendNotBuilt(reply)
    if (!/\.[a-z0-9]+$/i.test(path)) return sendPage(reply)
    // A build gives every asset a name made of its content.
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    return reply.header('cache-control', cache).sendFile(path)
  })
}

/** However it is spelled: who meant the API is not answered with a page. */
function isServicePath(path: string): boolean {
  const plain = posix.normalize(decodeURIComponent(path)).toLowerCase()
  return /^\/(api|ws|mcp)(\/|$)/.test(plain)
}

function sendPage(reply: FastifyReply) {
  return reply.header('cache-control', 'no-cache').sendFile('index.html')
}

function sendNotBuilt(reply: FastifyReply) {
  return reply.code(503).type('text/html; charset=utf-8').send(notBuilt)
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>DataAgent</title>
<h1>DataAgent</h1>
<p>The server runs, but its pages are not built. Stop it and run <code>npm start</code>.</p>
<p lang="zh-CN">服务已运行，但网页尚未构建。请停止后执行 <code>npm start</code>。</p>
</html>
`
