import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
})
afterAll(async () => server[Symbol.asyncDispose]())

test('the page of the API is served with its style, under a policy that allows no script', async () => {
  const page = await server.ask<string>('GET', '/docs', {
    as: null,
    headers: { 'accept-language': 'zh-CN' },
  })
  expect(page.body).toContain('<html lang="zh-CN">')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('vary')).toContain('accept-language')
  const style = await server.ask<string>('GET', '/docs.css', { as: null })
  expect(style.headers.get('content-type')).toContain('text/css')
})

test('a chat is described as one answer and as a stream of events', async () => {
  const { body } = await server.ask<Described>('GET', '/openapi.json', { as: null })
  const { description, content } = body.paths['/api/v1/chat']!.post.responses['200']!
  expect(Object.keys(content).toSorted()).toEqual(['application/json', 'text/event-stream'])
  expect(description).toBe('Done. The answer shows the outcome.')
})

interface Described {
  paths: Record<
    string,
    { post: { responses: Record<string, { description: string; content: object }> } }
  >
}
