import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { MemoryOwner, MemoryStore } from './contract.ts'
import type { DamagedFact } from './facts-folder.ts'
import { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'

const ada: MemoryOwner = { tenant_id: 'default', user_id: 'ada', assistant_id: 'helper' }
const dayMs = 86_400_000

async function setUp(fields: Partial<MemoryStoreOptions> = {}) {
  const directory = await temporaryDirectory()
  const clock = createFakeClock()
  const damage: DamagedFact[] = []
  const onDamage = (damaged: DamagedFact) => void damage.push(damaged)
  const options = { root: directory.path, clock, onDamage, ...fields }
  const store = await createMemoryStore(options)
  return {
    root: directory.path,
    ...{ store, clock, damage },
    /** Another store on the same files, as a second process has it. */
    again: () => createMemoryStore(options),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

const says = (text: string) => ({ text, by: 'user' as const })
const textsOf = async (store: MemoryStore, owner = ada) =>
  (await store.list(owner)).facts.map(({ text }) => text)

describe('a fact', () => {
  test('is kept under the user and the assistant, with where it came from [D34.1] [D34.2]', async () => {
    await using scene = await setUp()
    const said = { ...says('Likes tea'), session_id: 's1', said_in: 'm7' }
    const fact = await scene.store.remember(ada, said)
    const folder = join(scene.root, 'memories', 'ada', 'helper')
    expect(await readdir(folder)).toEqual([`${fact.fact_id}.json`])
    const file = JSON.parse(await readFile(join(folder, `${fact.fact_id}.json`), 'utf8'))
    expect(file).toEqual({ ...ada, ...said, fact_id: fact.fact_id, created_at: scene.clock.now() })
    await using other = await scene.again()
    expect((await other.list(ada)).facts).toEqual([fact])
  })

  test('that says the same replaces the one before', async () => {
    await using scene = await setUp()
    await scene.store.remember(ada, says('Likes tea.'))
    scene.clock.advance(1000)
    await scene.store.remember(ada, says('likes  TEA'))
    expect(await textsOf(scene.store)).toEqual(['likes  TEA'])
  })

  test('is forgotten by its id, once', async () => {
    await using scene = await setUp()
    const { fact_id } = await scene.store.remember(ada, says('Likes tea'))
    await scene.store.remember(ada, says('Likes cake'))
    expect(await scene.store.forget(ada, fact_id)).toBe(true)
    expect(await scene.store.forget(ada, fact_id)).toBe(false)
    expect(await textsOf(scene.store)).toEqual(['Likes cake'])
  })

  test.each([
    ['an empty one', ' \n', 'invalid_request'],
    ['a long one', 'x'.repeat(2001), 'too_large'],
  ])('%s is refused', async (_, text, code) => {
    await using scene = await setUp()
    await expect(scene.store.remember(ada, says(text))).rejects.toMatchObject({ code })
  })

  test('too many are refused with what to do, even at once', async () => {
    await using scene = await setUp({ maxFacts: 3 })
    const made = [1, 2, 3, 4, 5].map((n) => scene.store.remember(ada, says(`fact ${n}`)))
    const settled = await Promise.allSettled(made)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(settled.at(-1)).toMatchObject({
      reason: { code: 'quota_exceeded', message: expect.stringContaining('Forget some') },
    })
    expect(await textsOf(scene.store)).toHaveLength(3)
  })
})

describe('only the memory of the user at hand is seen [D34.1] [D34.3] [D32.2]', () => {
  const owners: [string, MemoryOwner][] = [
    ['another user', { ...ada, user_id: 'bob' }],
    ['another assistant', { ...ada, assistant_id: 'other' }],
    ['the same user id in another tenant', { ...ada, tenant_id: 'acme' }],
    ['a user in capitals', { ...ada, user_id: 'Ada' }],
    ['a user with a path', { ...ada, user_id: '../default/ada' }],
    ['a user with dots', { ...ada, user_id: '..' }],
    ['a user called like a path of another', { ...ada, user_id: 'ada/helper' }],
    ['a user called like the folder of a tenant', { ...ada, user_id: '@acme' }],
    ['a tenant called like a path', { ...ada, tenant_id: '../memories' }],
    ['an assistant with a path', { ...ada, assistant_id: '../../ada/helper' }],
    ['an assistant with a NUL', { ...ada, assistant_id: 'helper\0' }],
    ['a look-alike', { ...ada, user_id: 'аda' }],
    ['a lone surrogate', { ...ada, user_id: '\ud800' }],
    ['another lone surrogate', { ...ada, user_id: '\ud801' }],
    ['a long id', { ...ada, user_id: 'a'.repeat(5000) }],
    ['a device of Windows', { ...ada, user_id: 'con' }],
  ]

  test.each(owners)('%s sees nothing of ada and ada nothing of it [T49]', async (_, other) => {
    await using scene = await setUp()
    const mine = await scene.store.remember(ada, says('mine secret'))
    expect(await textsOf(scene.store, other)).toEqual([])
    expect(await scene.store.recall(other, 'secret')).toEqual([])
    expect(await scene.store.forget(other, mine.fact_id)).toBe(false)
    await scene.store.remember(other, says('theirs'))
    await scene.store.clear(other)
    expect(await textsOf(scene.store)).toEqual(['mine secret'])
    expect(await textsOf(scene.store, other)).toEqual([])
  })

  test('all of them together stay apart, below one folder', async () => {
    await using scene = await setUp()
    for (const [name, owner] of owners) await scene.store.remember(owner, says(name))
    for (const [name, owner] of owners) expect(await textsOf(scene.store, owner)).toEqual([name])
    expect(await readdir(scene.root)).toEqual(['memories'])
  })

  test.each(['', '*'])('nobody in particular (%j) has no memory', async (user_id) => {
    await using scene = await setUp()
    const refused = { code: 'forbidden' }
    await expect(scene.store.remember({ ...ada, user_id }, says('x'))).rejects.toMatchObject(
      refused,
    )
    await expect(scene.store.clear({ tenant_id: 'default', user_id })).rejects.toMatchObject(
      refused,
    )
    await expect(scene.store.list({ ...ada, assistant_id: user_id })).rejects.toMatchObject(refused)
  })

  test.each(['../../bob/helper/x', '', '.', 'a/b', '../secret'])(
    'the id %j of a fact leads nowhere',
    async (fact_id) => {
      await using scene = await setUp()
      await scene.store.remember(ada, says('x'))
      expect(await scene.store.forget(ada, fact_id)).toBe(false)
      expect(await textsOf(scene.store)).toEqual(['x'])
    },
  )

  test('a file of another owner that was put here is not given', async () => {
    await using scene = await setUp()
    const { fact_id } = await scene.store.remember({ ...ada, user_id: 'bob' }, says('of bob'))
    const memories = join(scene.root, 'memories')
    const file = await readFile(join(memories, 'bob', 'helper', `${fact_id}.json`))
    await scene.store.remember(ada, says('of ada'))
    await writeFile(join(memories, 'ada', 'helper', `${fact_id}.json`), file)
    expect(await textsOf(scene.store)).toEqual(['of ada'])
    expect(scene.damage).toMatchObject([{ reason: 'the fact is of another owner' }])
  })

  test('a link in the place of a folder is not followed', async () => {
    await using scene = await setUp()
    await scene.store.remember({ ...ada, user_id: 'bob' }, says('of bob'))
    const memories = join(scene.root, 'memories')
    await symlink(join(memories, 'bob'), join(memories, 'ada'))
    await expect(scene.store.list(ada)).rejects.toMatchObject({ code: 'path_denied' })
  })
})

describe('recall', () => {
  const facts = [
    'The quarterly report goes to Ms Weber in Hamburg',
    'Prefers metric units',
    '用户的生日是五月三日',
    '用户喜欢喝龙井茶，不喜欢咖啡',
    'Deploys happen on Tuesdays, never on Fridays',
  ]
  test.each([
    ['Who gets the report?', facts[0]],
    ['which unit should I use', facts[1]],
    ['我的生日是哪天', facts[2]],
    ['给我推荐一款茶', facts[3]],
    ['咖啡还是茶？', facts[3]],
    ['when do we deploy? on which friday', facts[4]],
  ])('%s', async (query, expected) => {
    await using scene = await setUp()
    for (const text of facts) await scene.store.remember(ada, says(text))
    expect((await scene.store.recall(ada, query))[0]?.text).toBe(expected)
  })

  test('gives nothing where no word fits, and is bounded', async () => {
    await using scene = await setUp()
    for (let i = 0; i < 20; i += 1) await scene.store.remember(ada, says(`tea number ${i}`))
    expect(await scene.store.recall(ada, 'zebra')).toEqual([])
    expect(await scene.store.recall(ada, '')).toEqual([])
    expect(await scene.store.recall(ada, 'tea', { limit: 3 })).toHaveLength(3)
    expect(await scene.store.recall(ada, 'tea', { limit: 20, maxCharacters: 30 })).toHaveLength(2)
  })
})

describe('the user clears their memory [D34.4]', () => {
  test('with one assistant, or with all', async () => {
    await using scene = await setUp()
    const other = { ...ada, assistant_id: 'other' }
    const bob = { ...ada, user_id: 'bob' }
    for (const owner of [ada, other, bob]) await scene.store.remember(owner, says('x'))
    await scene.store.clear(ada)
    expect(await textsOf(scene.store, ada)).toEqual([])
    expect(await textsOf(scene.store, other)).toEqual(['x'])
    await scene.store.clear({ tenant_id: 'default', user_id: 'ada' })
    expect(await textsOf(scene.store, other)).toEqual([])
    expect(await textsOf(scene.store, bob)).toEqual(['x'])
    expect(await readdir(join(scene.root, 'memories'))).toEqual(['bob'])
  })

  test('where there is none, nothing happens', async () => {
    await using scene = await setUp()
    await scene.store.clear(ada)
    expect(await textsOf(scene.store)).toEqual([])
  })
})

test('the export holds all of a user, whatever the assistant is called, and nobody else', async () => {
  await using scene = await setUp()
  const odd = { ...ada, assistant_id: 'Über/Helper' }
  const a = await scene.store.remember(ada, says('one'))
  const b = await scene.store.remember(odd, says('two'))
  await scene.store.remember({ ...ada, user_id: 'bob' }, says('three'))
  const exported = await scene.store.export({ tenant_id: 'default', user_id: 'ada' })
  expect(exported.toSorted((x, y) => (x.assistant_id < y.assistant_id ? 1 : -1))).toEqual([
    { assistant_id: 'Über/Helper', facts: [b] },
    { assistant_id: 'helper', facts: [a] },
  ])
})

describe('the retention [D34.5]', () => {
  test('is 90 days, with a sweep or without', async () => {
    await using scene = await setUp()
    await scene.store.remember(ada, says('old'))
    scene.clock.advance(60 * dayMs)
    await scene.store.remember(ada, says('new'))
    scene.clock.advance(30 * dayMs)
    expect(await textsOf(scene.store)).toEqual(['new', 'old'])
    scene.clock.advance(1)
    expect(await textsOf(scene.store)).toEqual(['new'])
    expect(await scene.store.recall(ada, 'old')).toEqual([])
    expect(await scene.store.sweep()).toEqual({ removed: 1 })
    expect(await readdir(join(scene.root, 'memories', 'ada', 'helper'))).toHaveLength(1)
  })

  test('can be set, holds for every tenant, and leaves no empty folders', async () => {
    await using scene = await setUp({ retentionDays: 1 })
    await scene.store.remember(ada, says('x'))
    await scene.store.remember({ ...ada, tenant_id: 'acme' }, says('x'))
    scene.clock.advance(dayMs + 1)
    expect(await scene.store.sweep()).toEqual({ removed: 2 })
    expect(await readdir(join(scene.root, 'memories'))).not.toContain('ada')
    expect(await readdir(join(scene.root, 'memories', '@acme'))).toEqual([])
    await scene.store.remember(ada, says('again'))
    expect(await textsOf(scene.store)).toEqual(['again'])
  })
})

test.each([
  ['no JSON', '{"text":'],
  ['nothing', ''],
  ['other JSON', '[1]'],
  ['deep JSON', '['.repeat(10_000)],
  ['a large file', 'x'.repeat(100_000)],
])('a damaged file (%s) is put aside and told of, and the others are there', async (_, content) => {
  await using scene = await setUp()
  const { fact_id } = await scene.store.remember(ada, says('broken'))
  await scene.store.remember(ada, says('whole'))
  const folder = join(scene.root, 'memories', 'ada', 'helper')
  await writeFile(join(folder, `${fact_id}.json`), content)
  await using other = await scene.again()
  expect(await other.list(ada)).toMatchObject({ facts: [{ text: 'whole' }], damaged: 1 })
  expect(scene.damage).toMatchObject([{ path: `ada/helper/${fact_id}.json` }])
  expect(await readFile(join(folder, `${fact_id}.json.damaged`), 'utf8')).toBe(content)
  expect((await other.list(ada)).damaged).toBe(1)
})

test('foreign files in the folder are let be', async () => {
  await using scene = await setUp()
  const folder = join(scene.root, 'memories', 'ada', 'helper')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'notes.txt'), 'hello')
  expect(await scene.store.list(ada)).toEqual({ facts: [], damaged: 0 })
})

describe('facts are read again only when the folder has changed', () => {
  test('so what another process adds or forgets is seen, at once and later', async () => {
    await using scene = await setUp()
    await using other = await scene.again()
    for (let round = 0; round < 5; round += 1) {
      const { fact_id } = await other.remember(ada, says(`round ${round}`))
      expect(await textsOf(scene.store)).toEqual([`round ${round}`])
      scene.clock.advance(3000)
      expect(await textsOf(scene.store)).toEqual([`round ${round}`])
      await other.forget(ada, fact_id)
      expect(await textsOf(scene.store)).toEqual([])
      scene.clock.advance(3000)
    }
  })

  test('and a settled listing reads no file', async () => {
    await using scene = await setUp()
    const { fact_id } = await scene.store.remember(ada, says('x'))
    await textsOf(scene.store)
    scene.clock.advance(3000)
    const [settled] = (await scene.store.list(ada)).facts
    await writeFile(join(scene.root, 'memories/ada/helper', `${fact_id}.json`), 'spoilt')
    expect((await scene.store.list(ada)).facts[0]).toBe(settled)
  })
})

test('two processes that write at the same time lose nothing', async () => {
  await using directory = await temporaryDirectory()
  const script = fileURLToPath(new URL('./test-remember.ts', import.meta.url))
  const exits = ['first', 'second'].map((name) =>
    once(
      fork(script, [directory.path, name, '25'], { execArgv: ['--conditions=dataagent-source'] }),
      'exit',
    ),
  )
  expect(await Promise.all(exits)).toEqual([
    [0, null],
    [0, null],
  ])
  await using store = await createMemoryStore({ root: directory.path })
  const texts = await textsOf(store)
  expect(texts).toHaveLength(50)
  expect(new Set(texts).size).toBe(50)
}, 60_000)
