import { appendFile, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOriginNotes } from './origins.ts'
import { placeAt } from './place.ts'
import { createWorkspaces } from './workspaces.ts'

const web = new Set(['web'])

async function openPlace() {
  const directory = await temporaryDirectory()
  return {
    ...placeAt(directory.path, 'ada'),
    root: directory.path,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

test('notes outlive the process, and others see them at once', async () => {
  await using place = await openPlace()
  const [one, other] = [createOriginNotes(), createOriginNotes()]
  expect(await other.of(place, ['files/a'])).toEqual(new Set())
  await one.note(place, 'files/a', web)
  expect(await other.of(place, ['files/a'])).toEqual(web)
  await other.note(place, 'files/a', new Set(['mail', 'web']))
  expect(await one.of(place, ['files/b', 'files/a'])).toEqual(new Set(['web', 'mail']))
  expect(await createOriginNotes().of(place, ['files/b'])).toEqual(new Set())
})

test('what is known is not noted again', async () => {
  await using place = await openPlace()
  const notes = createOriginNotes()
  for (let i = 0; i < 3; i += 1) await notes.note(place, 'files/a', web)
  expect((await readFile(place.origins, 'utf8')).trim().split('\n')).toHaveLength(1)
})

test.each(['files/A', './files//a', 'files/x/../a', 'files/a/'])(
  '%j is the same file as files/a',
  async (path) => {
    await using place = await openPlace()
    await createOriginNotes().note(place, 'files/a', web)
    expect(await createOriginNotes().of(place, [path])).toEqual(web)
  },
)

test.each([1, 2, 10, 30])('a note cut %i bytes short spoils no other', async (cut) => {
  await using place = await openPlace()
  const notes = createOriginNotes()
  await notes.note(place, 'files/a', web)
  const whole = (await readFile(place.origins)).length
  await createOriginNotes().note(place, 'files/数据', web)
  await truncate(place.origins, (await readFile(place.origins)).length - cut)
  expect(await notes.of(place, ['files/a'])).toEqual(web)
  await notes.note(place, 'files/c', web)
  for (const each of [notes, createOriginNotes()]) {
    expect(await each.of(place, ['files/a'])).toEqual(web)
    expect(await each.of(place, ['files/c'])).toEqual(web)
  }
  expect(whole).toBeGreaterThan(30)
})

test('junk between notes is passed over', async () => {
  await using place = await openPlace()
  await createOriginNotes().note(place, 'files/a', web)
  await appendFile(place.origins, 'junk\n{"path":1}\n\u0000\n[]\n')
  await createOriginNotes().note(place, 'files/b', web)
  expect(await createOriginNotes().of(place, ['files/a'])).toEqual(web)
  expect(await createOriginNotes().of(place, ['files/b'])).toEqual(web)
})

test('of too many notes the next is of the workspace as a whole', async () => {
  await using place = await openPlace()
  const notes = createOriginNotes({ maxBytes: 200 })
  for (let i = 0; i < 50; i += 1) await notes.note(place, `files/${i}`, web)
  expect((await readFile(place.origins)).length).toBeLessThan(400)
  expect(await notes.of(place, ['files/other'])).toEqual(web)
})

test('notes are of one owner, and nothing that a workspace shows', async () => {
  await using place = await openPlace()
  await using workspaces = createWorkspaces({ root: join(place.root, 'all') })
  const ada = { tenant_id: 'default', user_id: 'ada' }
  await workspaces.noteOrigins(ada, 'files/a', web)
  expect(await workspaces.originsOf(ada, ['files/a'])).toEqual(web)
  expect(await workspaces.originsOf({ ...ada, user_id: 'bob' }, ['files/a'])).toEqual(new Set())
  const { entries } = await workspaces.use(ada, (workspace) =>
    workspace.list('.', { recursive: true }),
  )
  expect(entries.map(({ path }) => path)).toEqual(['files', 'outputs', 'uploads'])
  expect((await workspaces.sweep()).kept).toEqual([])
  expect(await workspaces.originsOf(ada, ['files/a'])).toEqual(web)
})
