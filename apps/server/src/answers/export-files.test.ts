import { join } from 'node:path'
import { createWorkspaces } from '@dataagent/core'
import type { Principal } from '@dataagent/hub'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createExportFiles } from './export-files.ts'

const ada: Principal = { tenant_id: 'acme', user_id: 'ada', role: 'user' }
const owner = { tenant_id: 'acme', user_id: 'ada' }

async function openFiles() {
  const stack = new AsyncDisposableStack()
  const { path } = stack.use(await temporaryDirectory())
  const workspaces = stack.use(createWorkspaces({ root: join(path, 'workspaces') }))
  const files = createExportFiles(workspaces)
  return {
    workspaces,
    save: (path: string, text: string) =>
      files.write(ada, path, contentOf(text), new AbortController().signal),
    read: (path: string) =>
      workspaces.use(owner, async (workspace) => (await workspace.read(path)).bytes.toString()),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function* contentOf(text: string) {
  yield Buffer.from(text)
}

test('an export takes the place of no file, and is told a name that is free', async () => {
  await using files = await openFiles()
  await files.workspaces.use(owner, (workspace) => workspace.write('outputs/sales.csv', 'by hand'))
  const told = 'There is a file outputs/sales.csv already. Give another name: sales-2 is free.'
  await expect(files.save('outputs/sales.csv', 'rows')).rejects.toMatchObject({
    ...{ code: 'conflict', message: told },
  })
  expect(await files.read('outputs/sales.csv')).toBe('by hand')
  expect(await files.workspaces.originsOf(owner, ['outputs/sales.csv'])).toEqual(new Set())
  expect(await files.save('outputs/sales-2.csv', 'rows')).toEqual({ bytes: 4 })
  await expect(files.save('outputs/sales.csv', 'rows')).rejects.toThrow('sales-3 is free')
})

test('of two exports at once by one name one is written', async () => {
  await using files = await openFiles()
  const saved = await Promise.allSettled(
    ['one', 'two'].map((text) => files.save('outputs/sales.csv', text)),
  )
  expect(saved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const won = saved.findIndex(({ status }) => status === 'fulfilled')
  expect(await files.read('outputs/sales.csv')).toBe(['one', 'two'][won])
})

test('the file is noted as one that anybody may have written into', async () => {
  await using files = await openFiles()
  await files.save('outputs/sales.csv', 'rows')
  const origins = await files.workspaces.originsOf(owner, ['outputs/sales.csv'])
  expect(origins).toEqual(new Set(['dataagent']))
})
