import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { AppError } from '@dataagent/schema/base'
import { describe, expect, test } from 'vitest'
import { contentHash } from './expectation.ts'
import { createTestLedger, holds, openTestWorkspace } from './test-workspace.ts'

describe.each(holds)('writing, held by %s', (hold) => {
  test('creates and replaces text, bytes and streams', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'text')
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('text')
    await t.workspace.write('a', new Uint8Array([1, 2]))
    expect([...(await readFile(join(t.root, 'a')))]).toEqual([1, 2])
    await t.workspace.write('a', pieces('one', 'two'))
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('onetwo')
    await t.workspace.write('a', '', { durable: true })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('')
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('says what was written', async () => {
    await using t = await openTestWorkspace({ hold })
    const info = await t.workspace.write('a', 'text')
    expect(info).toEqual(await t.workspace.stat('a'))
    expect(info).toMatchObject({ kind: 'file', size: 4 })
  })

  test('a reader of the old content goes on reading it', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'old')
    const { stream } = await t.workspace.stream('a')
    await t.workspace.write('a', 'new')
    expect(await text(stream)).toBe('old')
  })

  test('a source that fails leaves the old content and nothing else', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'old')
    const failing = pieces('new', new Error('cut off'))
    await expect(t.workspace.write('a', failing)).rejects.toMatchObject({ code: 'internal' })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('old')
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('more than the cap is refused and leaves the old content', async () => {
    await using t = await openTestWorkspace({ hold, maxWriteBytes: 5 })
    await t.workspace.write('a', 'old')
    const tooMuch = [
      t.workspace.write('a', '123456'),
      t.workspace.write('a', pieces('1234', '56')),
      t.workspace.append('a', '456'),
      t.workspace.edit('a', () => '123456'),
    ]
    for (const attempt of await Promise.allSettled(tooMuch)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'too_large' } })
    }
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('old')
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('a cancelled write stops at a source that never goes on', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'old')
    const controller = new AbortController()
    const stuck = pieces('new', new Promise<never>(() => {}))
    const writing = t.workspace.write('a', stuck, { signal: controller.signal })
    controller.abort()
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' })
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('a path through a missing directory or a file is refused', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', '')
    await t.workspace.makeDir('d')
    await expect(t.workspace.write('x/y', '')).rejects.toMatchObject({ code: 'not_found' })
    await expect(t.workspace.write('a/y', '')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(t.workspace.write('d', '')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('a symbolic link is neither followed nor replaced', async () => {
    await using t = await openTestWorkspace({ hold })
    const before = await readdir(t.outside)
    await symlink(join(t.outside, 'canary.txt'), join(t.root, 'file'))
    await symlink(join(t.outside, 'new.txt'), join(t.root, 'dangling'))
    await symlink(t.outside, join(t.root, 'dir'))
    for (const path of ['file', 'dangling', 'dir/canary.txt', 'dir/new.txt']) {
      const attempts = [
        t.workspace.write(path, 'x'),
        t.workspace.append(path, 'x'),
        t.workspace.edit(path, () => 'x'),
      ]
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt, path).toMatchObject({ reason: { code: 'path_denied' } })
      }
    }
    expect(await readdir(t.outside)).toEqual(before)
  })
})

describe.each(holds)('appending, held by %s', (hold) => {
  test('adds to the end, and creates the file', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.append('log', 'one ')
    const info = await t.workspace.append('log', Buffer.from('two'), { durable: true })
    expect(await readFile(join(t.root, 'log'), 'utf8')).toBe('one two')
    expect(info.size).toBe(7)
  })

  test('loses none of 200 at the same time', async () => {
    await using t = await openTestWorkspace({ hold })
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`)
    await Promise.all(lines.map((line) => t.workspace.append('log', line)))
    const found = (await readFile(join(t.root, 'log'), 'utf8')).match(/.*\n/g) ?? []
    expect(found.sort()).toEqual(lines.sort())
  })
})

describe.each(holds)('a change is not lost to another, held by %s', (hold) => {
  test('a write that expects nothing refuses to replace', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one', { expect: 'absent' })
    const again = t.workspace.write('a', 'two', { expect: 'absent' })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('one')
  })

  test('of many that expect nothing at the same time one wins', async () => {
    await using t = await openTestWorkspace({ hold })
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => t.workspace.write('a', `${i}`, { expect: 'absent' })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('a write that expects the content read refuses another’s', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    const expect1 = { sha256: contentHash((await t.workspace.read('a')).bytes) }
    await writeFile(join(t.root, 'a'), 'two')
    const stale = t.workspace.write('a', 'three', { expect: expect1 })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    await t.workspace.write('a', 'four', { expect: { sha256: contentHash('two') } })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('four')
  })

  test('a write that expects a time refuses another, and a file that has gone', async () => {
    await using t = await openTestWorkspace({ hold })
    const { mtimeMs } = await t.workspace.write('a', 'one')
    const stale = t.workspace.write('a', 'x', { expect: { mtimeMs: mtimeMs - 1 } })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    await t.workspace.write('a', 'two', { expect: { mtimeMs } })
    await t.workspace.remove('a')
    const late = t.workspace.write('a', 'x', { expect: { mtimeMs } })
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
  })

  test('200 edits at the same time all count', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('n', '0')
    const increment = () => t.workspace.edit('n', (content) => `${Number(content.toString()) + 1}`)
    await Promise.all(Array.from({ length: 200 }, increment))
    expect(await readFile(join(t.root, 'n'), 'utf8')).toBe('200')
  })

  test('an edit sees what another program wrote while it was made', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    const { writeFileSync } = await import('node:fs')
    let calls = 0
    await t.workspace.edit('a', (content) => {
      if (calls++ === 0) writeFileSync(join(t.root, 'a'), 'two')
      return `${content} edited`
    })
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('two edited')
  })

  test('an edit that throws changes nothing', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a', 'one')
    const failing = t.workspace.edit('a', () => {
      throw new AppError('invalid_request', 'The text to replace was not found')
    })
    await expect(failing).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await readdir(t.root)).toEqual(['a'])
  })

  test('a reader beside writers sees whole versions only', async () => {
    await using t = await openTestWorkspace({ hold })
    const version = (i: number) => `${i % 10}`.repeat(50_000 + (i % 7))
    await t.workspace.write('a', version(0))
    let writing = true
    const reading = (async () => {
      const seen = new Set<string>()
      while (writing) {
        const { bytes } = await t.workspace.read('a')
        seen.add([...new Set(bytes.toString())].join(''))
        await nextLoop()
      }
      return seen
    })()
    for (let i = 1; i <= 100; i++) await t.workspace.write('a', version(i))
    writing = false
    expect([...(await reading)].filter((kinds) => kinds.length !== 1)).toEqual([])
  })
})

describe('file modes', () => {
  test('new files are for the owner alone whatever the umask, unless set', async () => {
    await using t = await openTestWorkspace({ fileMode: 0o600 })
    await using open = await openTestWorkspace({ fileMode: 0o640, dirMode: 0o750 })
    const umask = process.umask(0)
    try {
      await t.workspace.makeDir('d/e')
      await t.workspace.write('d/a', '')
      await t.workspace.append('d/b', '')
      await open.workspace.makeDir('d')
      await open.workspace.write('d/a', '')
    } finally {
      process.umask(umask)
    }
    const modes = await Promise.all(
      [`${t.root}/d`, `${t.root}/d/e`, `${t.root}/d/a`, `${t.root}/d/b`].map(modeOf),
    )
    expect(modes).toEqual(['700', '700', '600', '600'])
    expect(await Promise.all([`${open.root}/d`, `${open.root}/d/a`].map(modeOf))).toEqual([
      '750',
      '640',
    ])
  })

  test('the root is made for the owner alone', async () => {
    await using t = await openTestWorkspace()
    expect(await modeOf(t.root)).toBe('700')
  })

  test('a replaced or copied script stays executable', async () => {
    await using t = await openTestWorkspace()
    await t.workspace.write('run.sh', 'one')
    await chmod(join(t.root, 'run.sh'), 0o750)
    await t.workspace.write('run.sh', 'two')
    await t.workspace.edit('run.sh', () => 'three')
    await t.workspace.copy('run.sh', 'copy.sh')
    expect(await modeOf(join(t.root, 'run.sh'))).toBe('750')
    expect(await modeOf(join(t.root, 'copy.sh'))).toBe('750')
  })
})

describe('the ledger', () => {
  const limit = (max: number) => (used: number) => {
    if (used > max) throw new AppError('quota_exceeded', 'The workspace is full: remove something')
  }

  test('counts what every verb adds and takes away', async () => {
    const ledger = createTestLedger()
    await using t = await openTestWorkspace({ ledger })
    const { workspace } = t
    await workspace.write('a', '12345')
    await workspace.write('a', '123')
    await workspace.append('a', '45')
    await workspace.append('b', '1')
    await workspace.edit('a', (content) => `${content}6789`)
    await workspace.copy('a', 'c')
    await workspace.makeDir('d')
    await workspace.move('c', 'd/c')
    await workspace.move('b', 'a', { overwrite: true })
    expect(ledger.used()).toBe((await workspace.usage()).bytes)
    await workspace.remove('d', { recursive: true })
    await workspace.remove('a')
    expect(ledger.used()).toBe(0)
  })

  test('a write over the quota is refused and gives back what it reserved', async () => {
    const ledger = createTestLedger(limit(10))
    await using t = await openTestWorkspace({ ledger })
    await t.workspace.write('a', '12345')
    const attempts = [
      () => t.workspace.write('b', '123456'),
      () => t.workspace.write('b', pieces('12', '34', '56')),
      () => t.workspace.append('a', '123456'),
      () => t.workspace.edit('a', () => '123456'),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'quota_exceeded' })
      expect(ledger.used()).toBe(5)
    }
    expect(await readdir(t.root)).toEqual(['a'])
    expect(await readFile(join(t.root, 'a'), 'utf8')).toBe('12345')
  })

  test('100 writes at the same time never pass the quota [T54]', async () => {
    const ledger = createTestLedger(limit(1_000_000))
    await using t = await openTestWorkspace({ ledger })
    const content = 'x'.repeat(20_000)
    const attempts = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => t.workspace.write(`f${i}`, pieces(content, content))),
    )
    const written = attempts.filter(({ status }) => status === 'fulfilled').length
    expect(ledger.used()).toBe(written * 40_000)
    expect(ledger.peak()).toBeLessThanOrEqual(1_000_000)
    expect((await t.workspace.usage()).bytes).toBe(ledger.used())
  })

  test('is told when a write fails for another reason', async () => {
    const ledger = createTestLedger()
    await using t = await openTestWorkspace({ ledger })
    await mkdir(join(t.root, 'd'))
    await t.workspace.write('a', '12345')
    await link(join(t.root, 'a'), join(t.root, 'b'))
    await expect(t.workspace.write('d', '1')).rejects.toThrow()
    await expect(t.workspace.write('b', '1')).rejects.toThrow()
    await expect(t.workspace.write('c', pieces('1', new Error('cut')))).rejects.toThrow()
    await expect(t.workspace.write('c', '1', { expect: { mtimeMs: 1 } })).rejects.toThrow()
    expect(ledger.used()).toBe(5)
  })

  test('a turn that is never given leaves neither file nor reservation', async () => {
    const ledger = createTestLedger()
    const exclusive = async () => {
      throw new AppError('store_unavailable', 'No lease')
    }
    await using t = await openTestWorkspace({ ledger, exclusive })
    await expect(t.workspace.write('a', 'x')).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await readdir(t.root)).toEqual([])
    expect(ledger.used()).toBe(0)
  })
})

async function* pieces(...parts: (string | Error | Promise<never>)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield Buffer.from(await part)
  }
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}
