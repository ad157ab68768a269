import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { AppError, isAppError } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBinding, type SecretBinding } from './binding.ts'
import { createKeyring, type KeyWrapper } from './keyring.ts'
import { createVault } from './vault.ts'

const binding = { tenant: 't1', table: 'mcp_servers', row: '7', column: 'headers' }
const keyring = createKeyring([randomBytes(32)])
const vault = createVault({ keyring })
const bindings = fc.record({
  tenant: fc.string(),
  table: fc.string(),
  row: fc.string(),
  column: fc.string(),
})

test('what is sealed opens to the same text, in its own place', async () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
  const round = fc.asyncProperty(texts, bindings, async (text, place) => {
    const envelope = await vault.seal(text, place)
    expect(await vault.open(envelope, place)).toBe(text)
    expect(envelope).toMatch(/^[\w.-]+$/)
  })
  await fc.assert(round, { numRuns: longCount(200, 10_000) })
})

test('a secret may be long', async () => {
  const text = '漢'.repeat(200_000)
  expect(await vault.open(await vault.seal(text, binding), binding)).toBe(text)
})

test('text that would not come back the same is refused', async () => {
  await expect(vault.seal('\ud800', binding)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('no envelope opens in any other place', async () => {
  const moves = fc.asyncProperty(bindings, bindings, async (place, other) => {
    fc.pre(JSON.stringify(place) !== JSON.stringify(other))
    await expectUnreadable(vault.open(await vault.seal('canary', place), other))
  })
  await fc.assert(moves, { numRuns: longCount(200, 10_000) })
})

test('a row moved to another tenant, table, row or column does not open', async () => {
  const envelope = await vault.seal('canary', binding)
  for (const part of ['tenant', 'table', 'row', 'column'] as const) {
    await expectUnreadable(vault.open(envelope, { ...binding, [part]: 'other' }))
  }
})

test('two places never have the same bytes, wherever their parts end', () => {
  const parts = fc.stringMatching(/^[ab|\0]{0,3}$/)
  const places = fc.record({ tenant: parts, table: parts, row: parts, column: parts })
  const different = fc.property(places, places, (a, b) => {
    const same = JSON.stringify(a) === JSON.stringify(b)
    expect(encodeBinding(a).equals(encodeBinding(b))).toBe(same)
  })
  fc.assert(different, { numRuns: longCount(2_000, 100_000) })
  const glued = (tenant: string, table: string): SecretBinding => ({ ...binding, tenant, table })
  expect(encodeBinding(glued('a|b', 'c')).equals(encodeBinding(glued('a', 'b|c')))).toBe(false)
})

test('the same secret of two tenants, and of one twice, looks different', async () => {
  const other = { ...binding, tenant: 't2' }
  const envelopes = await Promise.all([
    vault.seal('same', binding),
    vault.seal('same', binding),
    vault.seal('same', other),
  ])
  const parts = envelopes.flatMap((envelope) => envelope.split('.').slice(2))
  expect(new Set(parts).size).toBe(6)
})

test('every bit flipped, character changed, and cut is noticed, and tells nothing', async () => {
  const envelope = await vault.seal('canary-secret', binding)
  const tampered = [...envelope].flatMap((_, at) => [
    envelope.slice(0, at),
    envelope.slice(0, at) + envelope.slice(at + 1),
    `${envelope.slice(0, at)}A${envelope.slice(at)}`,
    ...Array.from({ length: 7 }, (_, bit) => flip(envelope, at, 1 << bit)),
  ])
  const added = [`${envelope}A`, `${envelope}=`, `${envelope}\n`, ` ${envelope}`, '', 'v1...']
  for (const text of [...tampered, ...added]) {
    if (text === envelope) continue
    await expectUnreadable(vault.open(text, binding))
  }
  expect(tampered.length).toBeGreaterThan(1_000)
})

test('a tag cut to 4 bytes, which Node alone would take, is refused', async () => {
  const [version, kid, wrapped, sealed] = (await vault.seal('canary', binding)).split('.')
  const bytes = Buffer.from(String(sealed), 'base64url')
  for (let kept = 0; kept < 16; kept++) {
    const cut = bytes.subarray(0, bytes.length - 16 + kept).toString('base64url')
    await expectUnreadable(vault.open([version, kid, wrapped, cut].join('.'), binding))
  }
})

test('parts of two envelopes do not make a third', async () => {
  const [first, second] = [await vault.seal('one', binding), await vault.seal('two', binding)]
  const [version, kid, wrapped] = first.split('.')
  await expectUnreadable(
    vault.open([version, kid, wrapped, second.split('.')[3]].join('.'), binding),
  )
})

test('rewrapped under a new key it opens; the sealed text is the same; the old key alone fails', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
  const before = createVault({ keyring: createKeyring([oldKey]) })
  const during = createVault({ keyring: createKeyring([newKey, oldKey]) })
  const after = createVault({ keyring: createKeyring([newKey]) })
  const envelope = await before.seal('secret', binding)
  const rewrapped = await during.rewrap(envelope)
  expect(await during.open(envelope, binding)).toBe('secret')
  expect(await after.open(rewrapped, binding)).toBe('secret')
  expect(rewrapped.split('.')[3]).toBe(envelope.split('.')[3])
  expect([during.isCurrent(envelope), during.isCurrent(rewrapped)]).toEqual([false, true])
  expect(await during.rewrap(rewrapped)).toBe(rewrapped)
  await expectUnreadable(before.open(rewrapped, binding))
  await expect(after.rewrap(envelope)).rejects.toThrow(createKeyring([oldKey]).current)
})

test('a key service can stand in for the keyring, and its own errors pass', async () => {
  const secret = randomBytes(32)
  let away = false
  const service: KeyWrapper = {
    current: 'kms-1',
    async wrap(key) {
      const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
      return Buffer.concat([cipher.update(key), cipher.final()])
    },
    async unwrap(_kid, wrapped) {
      if (away) throw new AppError('store_unavailable', 'The key service does not answer.')
      const decipher = createDecipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
      return Buffer.concat([decipher.update(wrapped), decipher.final()])
    },
  }
  const remote = createVault({ keyring: service })
  const envelope = await remote.seal('secret', binding)
  expect(await remote.open(envelope, binding)).toBe('secret')
  away = true
  await expect(remote.open(envelope, binding)).rejects.toMatchObject({ code: 'store_unavailable' })
})

function flip(text: string, at: number, mask: number): string {
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ mask) + text.slice(at + 1)
}

async function expectUnreadable(opened: Promise<string>): Promise<void> {
  const error = await opened.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(isAppError(error, 'secret_unreadable')).toBe(true)
  expect(inspect(error, { showHidden: true })).not.toMatch(/canary/)
}
