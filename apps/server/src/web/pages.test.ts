import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TemporaryDirectory, temporaryDirectory } from '@dataagent/testkit'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { addPages } from './pages.ts'

async function createBuild(): Promise<TemporaryDirectory> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'assets'))
  await writeFile(join(directory.path, 'index.html'), '<title>the page</title>')
  await writeFile(join(directory.path, 'assets', 'index-abc.js'), 'run()')
  await writeFile(join(directory.path, 'favicon.svg'), '<svg/>')
  return directory
}

test.each(['/', '/sessions/42', '/settings?tab=mcp'])(
  '%s is the page, never cached',
  async (url) => {
    await using build = await createBuild()
    await using server = await createTestApp({ webRoot: build.path })
    const response = await server.app.inject(url)
    expect(response.body).toContain('the page')
    expect(response.headers['content-type']).toContain('text/html')
    expect(response.headers['cache-control']).toBe('no-cache')
  },
)

test('an asset is cached for good, other files are asked for again', async () => {
  await using build = await createBuild()
  await using server = await createTestApp({ webRoot: build.path })
  const asset = await server.app.inject('/assets/index-abc.js')
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(asset.headers['content-type']).toContain('/javascript')
  const icon = await server.app.inject('/favicon.svg')
  expect(icon.headers['cache-control']).toBe('no-cache')
})

test('what is compressed is sent so to whoever takes it', async () => {
  await using build = await createBuild()
  await writeFile(join(build.path, 'assets', 'index-abc.js.br'), 'short')
  await using server = await createTestApp({ webRoot: build.path })
  const headers = { 'accept-encoding': 'gzip, br' }
  const asset = await server.app.inject({ url: '/assets/index-abc.js', headers })
  expect([asset.body, asset.headers['content-encoding']]).toEqual(['short', 'br'])
  expect(asset.headers).toMatchObject({
    'content-type': expect.stringContaining('/javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringMatching(/accept-encoding/i),
  })
  expect((await server.app.inject('/assets/index-abc.js')).body).toBe('run()')
  const icon = await server.app.inject({ url: '/favicon.svg', headers })
  expect([icon.body, icon.headers['content-encoding']]).toEqual(['<svg/>', undefined])
})

test('pages may load our own scripts and styles only, and cannot be framed', async () => {
  await using build = await createBuild()
  await using server = await createTestApp({ webRoot: build.path })
  const { headers } = await server.app.inject('/')
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
})

test.each([
  '/assets/missing.js',
  '/api/v1/missing',
  '/api',
  '/ws/x',
  '/mcp/x',
  '/API/V1/ME',
  '//api/v1/me',
  '/api%2fv1/me',
  '/%61pi/v1/me',
  '/pages/%2e%2e/api/v1/me',
  '/..%2f..%2fetc/passwd.txt',
])('%s is not the page but an error in JSON', async (url) => {
  await using build = await createBuild()
  await using server = await createTestApp({ webRoot: build.path })
  const response = await server.app.inject(url)
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
  expect(response.json()).toHaveProperty('error_code')
})

test('without a build the page says what to do, in both languages', async () => {
  await using app = fastify()
  await addPages(app, '/no/such/directory')
  const response = await app.inject('/')
  expect(response.statusCode).toBe(503)
  expect(response.body).toContain('npm start')
  expect(response.body).toContain('网页尚未构建')
})
