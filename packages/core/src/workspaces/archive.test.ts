import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  link,
  lutimes,
  mkdir,
  readdir,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { MoveStep, WorkspaceOwner, WorkspacesOptions } from './contract.ts'
import { readTree } from './test-tree.ts'
import { createWorkspaces } from './workspaces.ts'

const ada: WorkspaceOwner = { tenant_id: 'default', user_id: 'ada' }
const day = 86_400_000

async function openRig(options: Partial<WorkspacesOptions> = {}) {
  const stack = new AsyncDisposableStack()
  const { path: root } = stack.use(await temporaryDirectory())
  const clock = createFakeClock()
  const workspaces = stack.use(createWorkspaces({ root, clock, ...options }))
  await workspaces.use(ada, (_, folder) => fill(folder))
  const before = await readTree(join(root, 'ada'))
  return { root, clock, workspaces, before, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Files of all sizes around a block's, names that need a long header, modes, times, links. */
async function fill(folder: string): Promise<void> {
  const deep = join(folder, 'files', '目录'.repeat(30), 'd'.repeat(120))
  await mkdir(deep, { recursive: true })
  await writeFile(join(deep, '报告 — é.txt'), '数据')
  for (const size of [0, 1, 511, 512, 513, 100_000]) {
    await writeFile(join(folder, 'files', `size-${size}`), Buffer.alloc(size, size % 251))
  }
  await writeFile(join(folder, 'outputs', 'run.sh'), '#!/bin/sh\n', { mode: 0o750 })
  await symlink('run.sh', join(folder, 'outputs', 'latest'))
  await symlink(`/nowhere/${'l'.repeat(150)}`, join(folder, 'outputs', 'dangling'))
  await lutimes(join(folder, 'outputs', 'run.sh'), 1_000_000, 1_000_000)
  await chmod(deep, 0o500)
}

test('one that was idle for 30 days is archived and comes back as it was [D33.7]', async () => {
  await using rig = await openRig()
  rig.clock.advance(29 * day)
  expect(await rig.workspaces.sweep()).toMatchObject({ archived: 0, kept: [] })
  rig.clock.advance(2 * day)
  expect(await rig.workspaces.sweep()).toEqual({ archived: 1, recovered: 0, kept: [] })
  expect((await readdir(rig.root)).sort()).toEqual(['.archives'])
  expect(await readdir(join(rig.root, '.archives'))).toEqual(['ada.tar.gz'])
  expect(await rig.workspaces.usage(ada)).toMatchObject({ status: 'archived' })
  await rig.workspaces.use(ada, async (_, folder) => {
    expect(await readTree(folder)).toEqual(rig.before)
  })
  expect(await readdir(join(rig.root, '.archives'))).toEqual([])
  expect(await rig.workspaces.usage(ada)).toMatchObject({ status: 'active', bytes: 101_553 })
})

test('one that is used stays, however long ago it was opened', async () => {
  await using rig = await openRig({ closeAfterMs: 1000 * day })
  await rig.workspaces.use(ada, async () => {
    rig.clock.advance(40 * day)
    expect(await rig.workspaces.sweep()).toMatchObject({ archived: 0 })
  })
  await rig.workspaces.use(ada, async () => {})
  expect(await rig.workspaces.sweep()).toMatchObject({ archived: 0 })
})

test('tenants are archived apart, each in its own name [D32.4]', async () => {
  await using rig = await openRig()
  const other = { tenant_id: 'acme', user_id: 'ada' }
  await rig.workspaces.use(other, (workspace) => workspace.write('files/mine', 'acme'))
  rig.clock.advance(31 * day)
  expect(await rig.workspaces.sweep()).toMatchObject({ archived: 2 })
  const read = await rig.workspaces.use(other, (workspace) => workspace.read('files/mine'))
  expect(read.bytes.toString()).toBe('acme')
})

test('folders that are no workspaces are left alone', async () => {
  await using rig = await openRig()
  const others = ['lost+found', 'Backup', 'a.b', '.cache']
  for (const name of others) {
    await mkdir(join(rig.root, name))
    await lutimes(join(rig.root, name), 1_000, 1_000)
  }
  rig.clock.advance(31 * day)
  expect(await rig.workspaces.sweep()).toMatchObject({ archived: 1, kept: [] })
  expect(await readdir(rig.root)).toEqual(expect.arrayContaining(others))
})

test('what an archive could not give back as it was keeps the workspace where it is', async () => {
  await using rig = await openRig()
  await rig.workspaces.use(ada, (_, folder) =>
    link(join(folder, 'files', 'size-1'), join(folder, 'files', 'again')),
  )
  const before = await readTree(join(rig.root, 'ada'))
  rig.clock.advance(31 * day)
  const { archived, kept } = await rig.workspaces.sweep()
  expect({ archived, kept }).toMatchObject({ archived: 0, kept: [{ workspace: 'ada' }] })
  expect(kept[0]?.reason).toContain('hard links')
  expect(await readTree(join(rig.root, 'ada'))).toEqual(before)
})

test('a damaged archive is an error that keeps it, never an empty workspace', async () => {
  await using rig = await openRig()
  rig.clock.advance(31 * day)
  await rig.workspaces.sweep()
  await truncate(join(rig.root, '.archives', 'ada.tar.gz'), 300)
  for (let tries = 0; tries < 2; tries++) {
    await expect(rig.workspaces.use(ada, async () => {})).rejects.toMatchObject({
      ...{ code: 'unavailable', message: expect.stringContaining('damaged') },
    })
  }
  expect(await readdir(join(rig.root, '.archives'))).toEqual(['ada.tar.gz'])
})

test('another process that has it open finds it again after it was archived', async () => {
  await using kv = createMemoryKv()
  await using rig = await openRig({ kv })
  const clock = createFakeClock()
  await using other = createWorkspaces({ root: rig.root, kv, clock, closeAfterMs: 1000 * day })
  await other.use(ada, async () => {})
  clock.advance(31 * day)
  rig.clock.advance(31 * day)
  expect(await rig.workspaces.sweep()).toMatchObject({ archived: 1 })
  await other.use(ada, async (workspace, folder) => {
    expect(await readTree(folder)).toEqual(rig.before)
    await workspace.write('files/more', 'more')
  })
  const read = await rig.workspaces.use(ada, (workspace) => workspace.read('files/more'))
  expect(read.bytes.toString()).toBe('more')
})

test('one that another process begins to use at the last moment stays', async () => {
  await using kv = createMemoryKv()
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let work: Promise<unknown> = Promise.resolve()
  const onStep = async (step: MoveStep) => {
    if (step !== 'move_aside') return
    work = other.use(ada, async (workspace) => {
      held.resolve()
      await over.promise
      return await workspace.write('files/late', 'late')
    })
    await held.promise
  }
  await using rig = await openRig({ kv, onStep })
  await using other = createWorkspaces({ root: rig.root, kv, clock: rig.clock })
  rig.clock.advance(31 * day)
  expect(await rig.workspaces.sweep()).toEqual({ archived: 0, recovered: 0, kept: [] })
  over.resolve()
  await work
  const read = await rig.workspaces.use(ada, (workspace) => workspace.read('files/late'))
  expect(read.bytes.toString()).toBe('late')
})

test('uses and sweeps at the same time, in two processes, lose nothing', async () => {
  await using kv = createMemoryKv()
  const stack = new AsyncDisposableStack()
  const { path: root } = stack.use(await temporaryDirectory())
  let now = Date.UTC(2030, 0, 1)
  const clock = { ...createFakeClock(), now: () => now, after: realAfter }
  const all = [1, 2].map(() => stack.use(createWorkspaces({ root, kv, clock })))
  const sum = { archived: 0 }
  for (let round = 0; round < 8; round++) {
    now += 31 * day
    const writing = [0, 1, 2, 3].map((at) =>
      all[at % 2]!.use(ada, (it) => it.write(`files/${round}-${at}`, `${round}`)),
    )
    const swept = await Promise.all(all.map((each) => each.sweep()))
    await Promise.all(writing)
    for (const { archived, kept } of swept) {
      sum.archived += archived
      expect(kept).toEqual([])
    }
    now += 31 * day
    sum.archived += (await all[round % 2]!.sweep()).archived
  }
  const { entries } = await all[0]!.use(ada, (workspace) => workspace.list('files'))
  expect(entries).toHaveLength(32)
  expect(sum.archived).toBeGreaterThanOrEqual(8)
  await stack.disposeAsync()
})

function realAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

const archiving: MoveStep[] = ['move_aside', 'pack', 'place_archive', 'drop_files']
const restoring: MoveStep[] = ['unpack', 'place_files', 'drop_archive']

describe('a process killed before a step of a move loses nothing', () => {
  test.each(archiving)('archiving, before %s', async (step) => {
    await using rig = await openRig()
    rig.clock.advance(31 * day)
    expect(await runMover(rig, 'archive', step)).toBe('SIGKILL')
    await rig.workspaces.use(ada, async (_, folder) => {
      expect(await readTree(folder)).toEqual(rig.before)
    })
  })

  test.each(['pack', 'drop_files'] as const)(
    'archiving, before %s, and a sweep comes first',
    async (step) => {
      await using rig = await openRig()
      rig.clock.advance(31 * day)
      expect(await runMover(rig, 'archive', step)).toBe('SIGKILL')
      expect(await rig.workspaces.sweep()).toMatchObject({ archived: 1, kept: [] })
      expect(await readdir(join(rig.root, '.archives'))).toEqual(['ada.tar.gz'])
      await rig.workspaces.use(ada, async (_, folder) => {
        expect(await readTree(folder)).toEqual(rig.before)
      })
    },
  )

  test.each(restoring)('bringing back, before %s', async (step) => {
    await using rig = await openRig()
    rig.clock.advance(31 * day)
    await rig.workspaces.sweep()
    expect(await runMover(rig, 'use', step)).toBe('SIGKILL')
    await rig.workspaces.use(ada, async (_, folder) => {
      expect(await readTree(folder)).toEqual(rig.before)
    })
    await rig.workspaces.sweep()
    expect(await readdir(join(rig.root, '.archives'))).toEqual([])
  })

  test.each(archiving)('and what fails before %s leaves it usable', async (step) => {
    let isFailing = true
    const onStep = (at: MoveStep) => {
      if (isFailing && at === step) throw new Error('disk')
    }
    await using rig = await openRig({ onStep })
    rig.clock.advance(31 * day)
    expect(await rig.workspaces.sweep()).toMatchObject({ archived: 0, kept: [{}] })
    isFailing = false
    await rig.workspaces.use(ada, async (_, folder) => {
      expect(await readTree(folder)).toEqual(rig.before)
    })
  })
})

async function runMover(
  { root, clock }: { root: string; clock: { now(): number } },
  verb: string,
  step: MoveStep,
): Promise<unknown> {
  const program = fileURLToPath(new URL('./test-mover.ts', import.meta.url))
  const child = fork(program, [root, verb, step, String(clock.now())], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [, signal] = await once(child, 'exit')
  return signal
}
