import { expect, test } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

test.each(['/%zz', '/api/v1/%ff'])(
  '%s is answered, headed and logged as any other',
  async (url) => {
    await using server = await createTestApp()
    const response = await server.app.inject({ url, headers: { 'x-request-id': 'bad-url' } })
    const other = await server.app.inject('/api/v1/nothing')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ error_code: 'invalid_request' })
    expect(Object.keys(response.headers).sort()).toEqual(Object.keys(other.headers).sort())
    expect(response.headers['x-request-id']).toBe('bad-url')
    expect(server.records).toContainEqual(
      expect.objectContaining({ message: 'request answered', request_id: 'bad-url', status: 400 }),
    )
  },
)

test('a bad URL for a foreign host is refused for its host', async () => {
  await using server = await createTestApp()
  const response = await server.app.inject({ url: '/%zz', headers: { host: 'evil.example' } })
  expect(response.statusCode).toBe(403)
})
