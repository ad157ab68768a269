import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { textOf } from '../../testing/test-hub.ts'
import { startFilesHub } from './test-files.ts'

const rig = await startFilesHub()
const { call, put, events } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const run = async (tool: string, args: Record<string, unknown>) => textOf(await call(tool, args))

describe('read_file', () => {
  test('gives a file whole, or some of its lines, numbered where asked', async () => {
    await put('files/三行.txt', '一\r\ntwo\r\n三')
    expect(await run('read_file', { path: 'files/三行.txt' })).toBe('一\ntwo\n三')
    expect(await run('read_file', { path: 'files/三行.txt', offset: 2, limit: 1 })).toBe(
      'two\n[there is more: go on with offset 3]',
    )
    expect(await run('read_file', { path: 'files/三行.txt', offset: 3, numbered: true })).toBe(
      '     3\t三',
    )
    expect(await run('read_file', { path: 'files/三行.txt', offset: 9 })).toContain('only 3 lines')
  })

  test('says that a file is empty, missing or a folder, and what to do', async () => {
    await put('files/empty', '')
    expect(await run('read_file', { path: 'files/empty' })).toBe('[the file is empty]')
    expect(await call('read_file', { path: 'files/none' })).toMatchObject({
      ...{ status: 'failed', error: { code: 'not_found' } },
    })
    expect(await run('read_file', { path: 'files' })).toContain('is a directory. Name a file')
  })

  test('shows a large file piece by piece, and cuts endless lines', async () => {
    await put('files/large', 'word '.repeat(40).concat('\n').repeat(20_000))
    const first = await run('read_file', { path: 'files/large' })
    expect(first.length).toBeLessThan(70_000)
    expect(first).toMatch(/go on with offset 319\]$/)
    await put('files/endless', `${'x'.repeat(5_000_000)}\nnext`)
    const endless = await run('read_file', { path: 'files/endless' })
    expect(endless).toMatch(/the line is longer\]\nnext$/)
  })

  test('refuses what is no text, with a hint', async () => {
    await put('files/a.pdf', Buffer.from('%PDF-1.7\n\0\u0001binary'))
    expect(await call('read_file', { path: 'files/a.pdf' })).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('PDF: ask the user') },
    })
  })

  test('reads GBK and UTF-16, and says so', async () => {
    await put('files/gbk.csv', Buffer.from('d0d5c3fb2cc4eac1e40a', 'hex'))
    expect(await run('read_file', { path: 'files/gbk.csv' })).toBe('姓名,年龄\n[read as gb18030]')
    await put('files/utf16.txt', Buffer.from('\ufeff数据', 'utf16le'))
    expect(await run('read_file', { path: 'files/utf16.txt' })).toContain('数据\n[read as utf-16le')
  })
})

describe('write_file', () => {
  test('makes folders, and tells of the file with its diff [D8.2] [D5.6]', async () => {
    events.length = 0
    expect(await run('write_file', { path: 'outputs/a/b.txt', content: 'one\ntwo\n' })).toBe(
      'Created outputs/a/b.txt: 8 bytes (+2 -0 lines)',
    )
    await run('write_file', { path: './outputs/a/b.txt', content: 'one\n2\n' })
    expect(events).toMatchObject([
      {
        ...{ event_type: 'file_operation', operation: 'write', path: 'outputs/a/b.txt' },
        ...{ additions: 2, deletions: 0, tool_call_id: 'call-1' },
        diff: '--- /dev/null\n+++ b/outputs/a/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
      },
      {
        ...{ operation: 'write', path: 'outputs/a/b.txt', additions: 1, deletions: 1 },
        diff: '--- a/outputs/a/b.txt\n+++ b/outputs/a/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      },
    ])
  })

  test('reading is told too, without a diff [D8.2]', async () => {
    await put('files/r.txt', 'r')
    events.length = 0
    await run('read_file', { path: 'files/r.txt' })
    expect(events).toMatchObject([{ operation: 'read', path: 'files/r.txt', diff: '' }])
  })

  test('two writers at once: each diff is the one it made', async () => {
    await put('files/shared', 'start\n')
    events.length = 0
    const contents = ['one\n', 'two\n', 'three\n']
    const outcomes = await Promise.all(
      contents.map((content) => call('write_file', { path: 'files/shared', content })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
    const removed = events.map((event) => 'diff' in event && /^-(?!--)(.*)$/m.exec(event.diff)?.[1])
    expect(new Set(removed).size).toBe(3)
  })
})

describe('edit_file', () => {
  test('replaces a passage that is there once, and tells of it [D8.2]', async () => {
    const path = await put('files/e.txt', '价格：10\nprice: $10\n')
    events.length = 0
    const args = { path: 'files/e.txt', old_string: 'price: $10', new_string: 'price: $& $1' }
    expect(await run('edit_file', args)).toBe(
      'Edited files/e.txt: 1 passage replaced (+1 -1 lines)',
    )
    expect(await readFile(path, 'utf8')).toBe('价格：10\nprice: $& $1\n')
    expect(events).toMatchObject([{ operation: 'edit', additions: 1, deletions: 1 }])
  })

  test('an edit that cannot be made changes and tells nothing', async () => {
    const path = await put('files/twice.txt', 'a\nb\na\n')
    events.length = 0
    const args = { path: 'files/twice.txt', old_string: 'a', new_string: 'c' }
    expect(await call('edit_file', args)).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('lines 1, 3') },
    })
    expect(await run('edit_file', { ...args, path: 'files/none' })).toContain('use write_file')
    expect(await readFile(path, 'utf8')).toBe('a\nb\na\n')
    expect(events).toEqual([])
    expect(await run('edit_file', { ...args, replace_all: true })).toContain('2 passages')
  })

  test('edits at the same time are all made', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `line-${at};`)
    const path = await put('files/many.txt', names.join('\n'))
    await Promise.all(
      names.map((name) =>
        run('edit_file', { path: 'files/many.txt', old_string: name, new_string: `${name}!` }),
      ),
    )
    expect(await readFile(path, 'utf8')).toBe(names.map((name) => `${name}!`).join('\n'))
  })

  test('refuses what is not UTF-8, and says how to go on', async () => {
    await put('files/gbk.txt', Buffer.from('d0d5c3fb', 'hex'))
    const args = { path: 'files/gbk.txt', old_string: '姓', new_string: '名' }
    expect(await run('edit_file', args)).toContain('gb18030')
  })
})

describe('delete_file and list', () => {
  test('a file goes and is told of with what it held', async () => {
    await put('files/gone/a.txt', 'a\nb\n')
    events.length = 0
    expect(await run('delete_file', { path: 'files/gone' })).toContain('not empty')
    expect(await run('delete_file', { path: 'files/gone/a.txt' })).toBe('Deleted files/gone/a.txt')
    expect(events).toMatchObject([{ operation: 'delete', additions: 0, deletions: 2 }])
    expect(await run('list', { path: 'files/gone' })).toBe('[the folder is empty]')
    expect(await run('delete_file', { path: 'files/gone', recursive: true })).toContain('Deleted')
  })

  test('a list has folders, files with sizes, and says when there is more', async () => {
    await put('files/l/数据.csv', 'abc')
    await put('files/l/sub/x', '')
    expect(await run('list', { path: 'files/l' })).toBe('sub/\n数据.csv (3 bytes)')
    expect(await run('list', { path: 'files/l', recursive: true })).toContain('sub/x (0 bytes)')
    expect(await run('list', {})).toMatch(/^files\/\noutputs\/\nuploads\/$/)
  })
})
