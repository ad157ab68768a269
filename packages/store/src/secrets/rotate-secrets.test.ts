import { randomBytes } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { rotateSecrets, type SealedRow } from './rotate-secrets.ts'
import { createVault } from './vault.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const oldVault = createVault({ keyring: createKeyring([oldKey]) })
const bothVault = createVault({ keyring: createKeyring([newKey, oldKey]) })
const newVault = createVault({ keyring: createKeyring([newKey]) })
const bindingOf = (row: string) => ({ tenant: 't', table: 'x', row, column: 'c' })

test('stopped halfway and run again it brings every row under the new key, each once', async () => {
  const table = await createTable(100)
  let replaced = 0
  const replaceUntil = (last: number) => async (row: SealedRow<string>, next: string) => {
    if (replaced === last) throw new AppError('store_unavailable', 'away')
    replaced++
    return table.replace(row, next)
  }
  const run = (last: number) =>
    rotateSecrets({ vault: bothVault, rows: table.rows(), replace: replaceUntil(last) })
  await expect(run(40)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await run(Infinity)).toEqual({ rewrapped: 60, current: 40, unreadable: [] })
  expect(await run(Infinity)).toEqual({ rewrapped: 0, current: 100, unreadable: [] })
  for (const { id, envelope } of table.rows()) {
    expect(await newVault.open(envelope, bindingOf(id))).toBe(`secret ${id}`)
  }
})

test('a row written anew meanwhile is not overwritten', async () => {
  const table = await createTable(1)
  const fresh = await bothVault.seal('fresh', bindingOf('0'))
  const report = await rotateSecrets({
    vault: bothVault,
    rows: table.rows(),
    async replace(row, next) {
      table.write(row.id, fresh)
      return table.replace(row, next)
    },
  })
  expect(report).toEqual({ rewrapped: 0, current: 1, unreadable: [] })
  expect([...table.rows()]).toEqual([{ id: '0', envelope: fresh }])
})

test('rows that no key opens are reported and left as they are', async () => {
  const table = await createTable(2)
  table.write('1', 'not an envelope')
  const replace = table.replace
  const report = await rotateSecrets({ vault: bothVault, rows: table.rows(), replace })
  expect(report).toEqual({ rewrapped: 1, current: 0, unreadable: ['1'] })
  expect([...table.rows()][1]).toEqual({ id: '1', envelope: 'not an envelope' })
  const wrongKey = createVault({ keyring: createKeyring([randomBytes(32)]) })
  const none = await rotateSecrets({ vault: wrongKey, rows: table.rows(), replace })
  expect(none).toEqual({ rewrapped: 0, current: 0, unreadable: ['0', '1'] })
})

test('an abort stops it', async () => {
  const table = await createTable(3)
  const stop = new AbortController()
  const rotation = rotateSecrets({
    vault: bothVault,
    rows: table.rows(),
    async replace(row, next) {
      stop.abort()
      return table.replace(row, next)
    },
    signal: stop.signal,
  })
  await expect(rotation).rejects.toThrow('aborted')
  expect([...table.rows()].filter(({ envelope }) => bothVault.isCurrent(envelope))).toHaveLength(1)
})

async function createTable(size: number) {
  const rows = new Map<string, string>()
  for (let row = 0; row < size; row++) {
    rows.set(String(row), await oldVault.seal(`secret ${row}`, bindingOf(String(row))))
  }
  return {
    *rows(): Generator<SealedRow<string>> {
      for (const [id, envelope] of rows) yield { id, envelope }
    },
    write: (id: string, envelope: string) => void rows.set(id, envelope),
    async replace({ id, envelope }: SealedRow<string>, next: string): Promise<boolean> {
      if (rows.get(id) !== envelope) return false
      rows.set(id, next)
      return true
    },
  }
}
