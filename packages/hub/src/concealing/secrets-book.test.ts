import { createMasker } from '@dataagent/guard'
import { parseAs, type ServerConfig, serverConfigSchema } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { platformTenant } from '../servers/index.ts'
import { createSecretsBook } from './secrets-book.ts'

const token = 'sk-canary-0123456789abcdef'
const toConfig = (value: unknown) => parseAs(serverConfigSchema, value, 'server')
const remote = (headers: Record<string, string>) =>
  toConfig({ name: 'a', url: 'https://mcp.example', headers })
const server = { tenant_id: 't1', server_id: 's1' }
const way = { ...server, user_id: null }

function createBook() {
  const clock = createFakeClock()
  const masker = createMasker()
  return { book: createSecretsBook({ masker, clock, keepMs: 1_000 }), clock, masker }
}

function createConceal(config: ServerConfig) {
  const { book } = createBook()
  book.learn(way, config)
  return <T>(said: T) => book.conceal(way, said)
}
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

test('a token that a tool echoes is taken out, in every part and spelling [A5.3]', () => {
  const conceal = createConceal(remote({ Authorization: `Bearer ${token}` }))
  const result = {
    ...text(`you sent Bearer ${token}, that is ${Buffer.from(token).toString('base64')}`),
    structuredContent: { headers: [{ authorization: token }], [token]: 1, fine: 'kept' },
  }
  const shown = JSON.stringify(conceal(result))
  expect(shown).not.toContain(token)
  expect(shown).not.toContain(Buffer.from(token).toString('base64'))
  expect(shown).toContain('kept')
})

test('an environment that a tool prints keeps what is no credential', () => {
  const env = { NODE_ENV: 'production', API_KEY: 'short-key-1', HOME_DIR: '/srv/data/files/2026' }
  const conceal = createConceal(toConfig({ name: 'a', command: 'x', env }))
  const result = text(
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  )
  expect(conceal(result)).toEqual(
    text('NODE_ENV=production\nAPI_KEY=***\nHOME_DIR=/srv/data/files/2026'),
  )
})

test('the password of a proxy is one', () => {
  const proxy = 'http://user:pass%20word-9@proxy.example:3128'
  const conceal = createConceal(toConfig({ name: 'a', url: 'https://mcp.example', proxy }))
  expect(conceal(text('pass word-9'))).toEqual(text('***'))
})

test('an answer without one is handed on as it is', () => {
  const result = text('nothing here')
  expect(createConceal(remote({ Authorization: `Bearer ${token}` }))(result)).toBe(result)
  expect(createConceal(remote({}))(result)).toBe(result)
})

test('the password in an address is one, and the rest of the address is none', () => {
  const env = {
    DATABASE_URL: 'postgres://app:p%40ssword9@db.example:5432/shop',
    MODEL: 'large-3-5',
  }
  const conceal = createConceal(toConfig({ name: 'a', command: 'x', env }))
  const shown = conceal(text(`${env.DATABASE_URL} p@ssword9 ${env.MODEL}`))
  expect(shown).toEqual(text('postgres://app:***@db.example:5432/shop *** large-3-5'))
})

test('a token that was replaced is looked for while calls with it may be under way', () => {
  const { book, clock, masker } = createBook()
  const ana = { ...server, user_id: 'ana' }
  book.learn(ana, remote({ Authorization: `Bearer ${token}` }))
  book.learn(ana, remote({ Authorization: 'Bearer another-token-9876' }))
  expect(book.conceal(ana, text(token))).toEqual(text('***'))
  expect(masker.maskText(`${token}.`)).toBe('***.')
  clock.advance(1_000)
  expect(book.conceal(ana, text(`old ${token}`))).toEqual(text(`old ${token}`))
  expect(book.conceal(ana, text('another-token-9876'))).toEqual(text('***'))
})

test('to learn the same again costs nothing and forgets nothing', () => {
  const { book, clock } = createBook()
  const config = remote({ Authorization: `Bearer ${token}` })
  for (let n = 0; n < 3; n++) book.learn(way, config)
  clock.advance(10_000)
  expect(book.conceal(way, text(token))).toEqual(text('***'))
})

test('what one user chose as a credential changes no answer to another', () => {
  const { book } = createBook()
  book.learn({ ...server, user_id: 'ana' }, remote({ Authorization: 'Bearer customers' }))
  book.learn({ ...server, user_id: 'bo' }, remote({ Authorization: `Bearer ${token}` }))
  const said = text(`customers ${token}`)
  expect(book.conceal({ ...server, user_id: 'bo' }, said)).toEqual(text('customers ***'))
  expect(book.conceal(way, said)).toBe(said)
})

test('a word that a tenant chose as a credential is masked in no log, one of the platform is', () => {
  const { book, masker, clock } = createBook()
  const chosen = remote({ Authorization: 'Bearer other-tenant' })
  book.learn(way, chosen)
  expect(masker.maskText('a line of other-tenant')).toBe('a line of other-tenant')
  expect(book.conceal(way, text('other-tenant'))).toEqual(text('***'))
  book.learn({ ...way, tenant_id: platformTenant }, chosen)
  expect(masker.maskText('a line of other-tenant')).toBe('a line of ***')
  book.learn(way, remote({ Authorization: `Bearer ${token}` }))
  clock.advance(1_000)
  expect(masker.maskText(`other-tenant ${token}.`)).toBe('*** ***.')
})

test('a server that was removed leaves nothing', () => {
  const { book, clock, masker } = createBook()
  book.learn(way, remote({ Authorization: `Bearer ${token}` }))
  book.forget(server)
  expect(book.conceal(way, text(token))).toEqual(text('***'))
  clock.advance(1_000)
  const said = text(`it was ${token}`)
  expect(book.conceal(way, said)).toBe(said)
  expect(masker.maskText(`it was customers-${token.length}`)).toContain('customers')
})

test('a server without credentials leaves nothing to wait for when it is forgotten [F32]', () => {
  const { book, clock } = createBook()
  book.learn(way, toConfig({ name: 'a', url: 'https://mcp.example' }))
  book.forget(server)
  expect(clock.pending()).toBe(0)
})
