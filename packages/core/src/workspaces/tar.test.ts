import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWorkspace } from '@dataagent/guard'
import { temporaryDirectory } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack } from './pack.ts'
import { paddingOf, type TarEntry, toHeader } from './tar-format.ts'
import { readTar } from './tar-read.ts'
import { readTree } from './test-tree.ts'
import { unpack } from './unpack.ts'

const run = promisify(execFile)
const never = new AbortController().signal

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Packs entries whose contents are as many bytes as they say. */
function toTar(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap((entry) => [
    toHeader(entry),
    Buffer.alloc(entry.size, 7),
    Buffer.alloc(paddingOf(entry.size)),
  ])
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

async function readAll(bytes: AsyncIterable<Buffer>): Promise<TarEntry[]> {
  const found: TarEntry[] = []
  for await (const { content: _, ...entry } of readTar(bytes)) found.push(entry)
  return found
}

test('what is written is read, whatever the names and however it arrives', async () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).filter((text) => {
    return !text.includes('\0') && text.isWellFormed()
  })
  const seconds = fc.integer({ min: 0, max: 2 ** 32 }).map((time) => time * 1000)
  const entry = fc.record({
    kind: fc.constantFrom('file', 'dir', 'link'),
    path: name,
    target: name,
    mode: fc.integer({ min: 0, max: 0o777 }),
    mtimeMs: seconds,
    size: fc.integer({ min: 0, max: 2_000 }),
  })
  const entries = fc.array(entry, { maxLength: 5 }).map((list) =>
    list.map(
      (each): TarEntry => ({
        ...each,
        size: each.kind === 'file' ? each.size : 0,
        target: each.kind === 'link' ? each.target : '',
      }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 3_000 }), async (list, size) => {
      expect(await readAll(inPieces(toTar(list), size))).toEqual(list)
    }),
    { numRuns: 100 },
  )
})

test('one that is cut or changed anywhere is an error, never fewer files', async () => {
  const file: TarEntry = { kind: 'file', path: 'a', target: '', mode: 0o600, mtimeMs: 0, size: 700 }
  const whole = toTar([file, { ...file, path: '目录'.repeat(60) }])
  for (const length of [0, 100, 512, 900, 1536, 2000, 2700]) {
    await expect(readAll(inPieces(whole.subarray(0, length), 512))).rejects.toThrow('damaged')
  }
  for (const at of [0, 110, 130, 148, 156]) {
    const changed = Buffer.from(whole)
    changed[at] = 0x39
    await expect(readAll(inPieces(changed, 512))).rejects.toThrow('damaged')
  }
})

test("the system's tar reads ours, and we read its", async () => {
  await using place = await temporaryDirectory()
  const [from, theirs, ours] = ['from', 'theirs', 'ours'].map((each) => join(place.path, each))
  await mkdir(join(from!, '深'.repeat(40), 'x'.repeat(150)), { recursive: true })
  await mkdir(theirs!)
  await writeFile(join(from!, '深'.repeat(40), 'x'.repeat(150), 'f.txt'), 'deep')
  await writeFile(join(from!, 'plain'), Buffer.alloc(5_000, 1))
  await symlink('plain', join(from!, 'link'))
  await using workspace = await openWorkspace({ root: from! })
  const file = join(place.path, 'a.tar.gz')
  await pack({ workspace, folder: from!, file, signal: never })
  await run('tar', ['-xzpf', file, '-C', theirs!])
  expect(await readTree(theirs!)).toEqual(await readTree(from!))
  const other = join(place.path, 'b.tar.gz')
  await run('tar', ['--format=pax', '-czf', other, '-C', from!, '深'.repeat(40), 'plain', 'link'])
  await unpack(other, ours!, never)
  expect(await readTree(ours!)).toEqual(await readTree(from!))
})

test('an archive that someone changed leads nowhere out of its folder', async () => {
  await using place = await temporaryDirectory()
  const at = { mode: 0o700, mtimeMs: 0, size: 0 }
  const bad: TarEntry[][] = [
    [{ kind: 'link', path: '../out', target: '/etc', ...at }],
    [{ kind: 'dir', path: '/out', target: '', ...at }],
    [
      { kind: 'link', path: 'a', target: '..', ...at },
      { kind: 'file', path: 'a/out', target: '', ...at },
    ],
  ]
  for (const [number, entries] of bad.entries()) {
    const file = join(place.path, `${number}.tar`)
    await writeFile(file, toTar(entries))
    await run('gzip', [file])
    await expect(unpack(`${file}.gz`, join(place.path, `in-${number}`), never)).rejects.toThrow()
  }
  const names = await readTree(place.path)
  expect(names.filter((name) => name.startsWith('out'))).toEqual([])
})
