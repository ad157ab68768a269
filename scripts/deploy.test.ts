import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { createTestCertificate, longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { makeImage } from './build/test-image.ts'
import { run } from './build/test-run.ts'
import { startServerProcess } from './readme/test-server-process.ts'
import { repository as root } from './setup/paths.mjs'

const read = (path: string) => readFile(join(root, path), 'utf8')

test('the image copies what is there, and runs as a user without rights', async () => {
  const image = await read('Dockerfile')
  const made = [...image.matchAll(/^COPY --from=made (.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace('/app/', '')),
  )
  expect(made).toContain('apps/server')
  const built = ['node_modules', 'apps/web/dist']
  for (const path of made.filter((path) => !built.includes(path))) {
    expect({ path, isThere: existsSync(join(root, path)) }).toEqual({ path, isThere: true })
  }
  for (const [, script = ''] of image.matchAll(/node (scripts\/\S+)/g)) {
    expect(existsSync(join(root, script))).toBe(true)
  }
  expect(image).toMatch(/^USER node$/m)
  // A volume has the owner of the folder that it is mounted over.
  const composed = await read('docker-compose.yml')
  for (const [, path = ''] of composed.matchAll(/- \w+:(\/data\/\w+)$/gm)) {
    expect(image).toMatch(new RegExp(`mkdir -p .*${path}\\b.* && chown -R node:node /data`))
  }
  expect(image).toContain('apps/server/src/main.ts')
})

/** It installs twice: minutes, and the network for what is not in npm's cache. */
if (longCount(0, 1) > 0) {
  test('what the Dockerfile copies and runs gives a server that starts, in less than 400 MB', async () => {
    await using directory = await temporaryDirectory()
    const image = await makeImage(directory.path)
    const kilobytes = Number.parseInt(await run('du', ['-sk', image], image), 10)
    console.log(`The folder of the image takes ${Math.round(kilobytes / 1_000)} MB.`)
    expect(kilobytes).toBeLessThan(400_000)
    const data = join(directory.path, 'data')
    await using server = await startServerProcess(data, { NODE_ENV: 'production' }, image)
    // Just after its start a busy machine may refuse one.
    const page = await waitFor(() => pageOf(server.url), { timeoutMs: 60_000, what: 'the page' })
    expect(page).toContain('<script')
  }, 900_000)
}

async function pageOf(url: string): Promise<string | undefined> {
  const answer = await fetch(url)
  return answer.ok ? await answer.text() : undefined
}

test('the container is healthy where its server is ready, on its port and with its TLS', async () => {
  expect(await read('Dockerfile')).toContain('CMD ["node", "scripts/health-check.mjs"]')
  const script = join(root, 'scripts/health-check.mjs')
  const check = async (env: Record<string, string>) => {
    const [code] = await once(spawn(process.execPath, [script], { env }), 'close')
    return code
  }
  let status = 200
  const answer: RequestListener = ({ url }, response) =>
    response.writeHead(url === '/api/v1/ready' ? status : 404).end()
  await using plain = await listen(createHttpServer(answer))
  await using secure = await listen(createHttpsServer(createTestCertificate(), answer))
  const tls = { DATAAGENT_TLS_CERT: '/cert.pem', DATAAGENT_TLS_KEY: '/key.pem' }
  const ports = [plain, secure].map(({ port }) => ({ DATAAGENT_PORT: String(port) }))
  expect(await check({ ...ports[0] })).toBe(0)
  expect(await check({ ...ports[1], ...tls })).toBe(0)
  expect(await check({ ...ports[1] })).toBe(1)
  status = 503
  expect(await check({ ...ports[0] })).toBe(1)
})

async function listen(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

test('the commands that are given for the image work as they stand', async () => {
  const guide = await read('docs/operating.md')
  const lines = [await read('Dockerfile'), guide].flatMap((text) =>
    [...text.matchAll(/docker run [^;`\n]+/g)].map(([line]) => line),
  )
  // Without a key the server listens where nobody reaches it; a command listens nowhere.
  const starts = lines.filter((line) => line.includes('-p '))
  expect(starts.length).toBeGreaterThan(1)
  expect(starts.filter((line) => !line.includes('-e DATAAGENT_API_KEYS='))).toEqual([])
  expect(lines.filter((line) => !/-v dataagent\S*:\/data /.test(line))).toEqual([])
})

test('in the image people are told the command of the image, in the repository that of npm', async () => {
  const places = 'apps/server/src/places.ts'
  const here = await import(join(root, places))
  expect([here.startCommand, here.terminalCommand]).toEqual([
    'npm start --',
    'npm run dataagent --',
  ])
  await using image = await temporaryDirectory()
  await cp(join(root, places), join(image.path, places))
  const there = await import(join(image.path, places))
  expect(there.terminalCommand).toBe('dataagent')
  for (const guide of ['docs/operating.md', 'docs/operating.zh-CN.md']) {
    expect(await read(guide)).toContain(`${there.startCommand} --new-admin-key`)
  }
  // Else the image would look like the repository.
  expect(await read('Dockerfile')).not.toMatch(/^COPY --from=made .*scripts\/(?!health-check)/m)
})

test('a turn over HTTP, which sends nothing before its end, outlives the balancer', async () => {
  for (const path of ['deploy/nginx.conf', 'docs/operating.md', 'docs/operating.zh-CN.md']) {
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(await read(path)) ?? []
    expect({ path, seconds: Number(seconds) }).toEqual({ path, seconds: 3600 })
  }
})

test('what is composed comes back by itself, and others drain the journal of a node that died', async () => {
  const composed = await read('docker-compose.yml')
  const services = composed.slice(0, composed.indexOf('\nvolumes:')).split(/^ {2}(?=\w+:$)/m)
  expect(services).toHaveLength(5)
  for (const service of services.slice(1)) expect(service).toContain('restart: unless-stopped')
  expect(composed).toMatch(/- journal:\/data\/journal$/m)
})

test('what is left out of the image is nothing that the server imports', async () => {
  const left = (await read('.dockerignore')).split('\n').filter(Boolean)
  expect(left).toContain('**/node_modules')
  const named = left.filter((path) => !path.includes('*'))
  for (const path of ['packages', 'apps', 'scripts', 'package-lock.json', 'LICENSE']) {
    expect(named).not.toContain(path)
  }
})

test('settings of the composed nodes are settings of the server', async () => {
  const [composed, reference] = await Promise.all([
    read('docker-compose.yml'),
    read('docs/configuration.md'),
  ])
  const names = [...composed.matchAll(/^ {6}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name)
  const ours = names.filter((name) => !name.startsWith('POSTGRES_'))
  expect(ours).toContain('DATAAGENT_MASTER_KEY')
  for (const name of ours) expect(reference).toContain(`\`${name}\``)
  for (const [, path = ''] of composed.matchAll(/- (\.\/[^:]+):/g)) {
    expect(existsSync(join(root, path))).toBe(true)
  }
})
