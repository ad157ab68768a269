import { describe, expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import { createStaticAuthorizer, createTokenAuthorizer } from './static-authorizer.ts'
import { failureOf } from './test-oauth.ts'

const refusal = (status: 401 | 403) => ({ status, wwwAuthenticate: undefined })

test('headers that never change are refused for good', async () => {
  const authorizer = createStaticAuthorizer({ 'x-api-key': 'k' })
  const sent = await authorizer.headers()
  expect(sent).toEqual({ 'x-api-key': 'k' })
  const error = await failureOf(authorizer.challenged(refusal(401), { sent }))
  expect(error).toMatchObject({ kind: 'http', statusCode: 401, code: 'unauthenticated' })
})

describe('a token that somebody else keeps', () => {
  test('is asked for before every request', async () => {
    let count = 0
    const authorizer = createTokenAuthorizer(async () => `token-${++count}`)
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer token-1' })
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer token-2' })
  })

  test('may not be there yet', async () => {
    expect(await createTokenAuthorizer(async () => undefined).headers()).toEqual({})
  })

  test('is asked for once more when it is refused, once for all', async () => {
    const asked: boolean[] = []
    const authorizer = createTokenAuthorizer(async ({ refused }) => {
      asked.push(refused)
      return refused ? 'new' : 'old'
    })
    const sent = await authorizer.headers()
    const callers = Array.from({ length: 100 }, () => authorizer.challenged(refusal(401), { sent }))
    await Promise.all(callers)
    expect(asked).toEqual([false, true])
  })

  test('that stays the same is refused for good', async () => {
    const authorizer = createTokenAuthorizer(async () => 'same')
    const sent = { Authorization: 'bearer same' }
    const error = await failureOf(authorizer.challenged(refusal(401), { sent }))
    expect(error.statusCode).toBe(401)
  })

  test('is not asked for again when the server forbids', async () => {
    let count = 0
    const authorizer = createTokenAuthorizer(async () => `${++count}`)
    const error = await failureOf(authorizer.challenged(refusal(403), { sent: {} }))
    expect(error).toMatchObject({ statusCode: 403, code: 'forbidden' })
    expect(count).toBe(0)
  })

  test('that cannot be had fails for now, without the words of whoever keeps it', async () => {
    const lost = createTokenAuthorizer(() => Promise.reject(new Error('s3cret')))
    const error = await failureOf(lost.headers())
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true })
    expect(error.cause).toBeUndefined()
    const own = new McpError({ kind: 'sign_in', code: 'unauthenticated', message: 'first' })
    expect(await failureOf(createTokenAuthorizer(() => Promise.reject(own)).headers())).toBe(own)
  })

  test.for(['a b', 'a\nb', 'é', ''])('%j is not sent', async (token) => {
    const error = await failureOf(createTokenAuthorizer(async () => token).headers())
    expect(error.kind).toBe('config')
    expect(error.message).not.toContain(token || '!')
  })
})
