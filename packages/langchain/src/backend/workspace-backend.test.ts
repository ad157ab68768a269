import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSandboxBackend } from 'deepagents'
import { afterAll, describe, expect, test } from 'vitest'
import { startBackend } from './test-backend.ts'
import { createWorkspaceBackend } from './workspace-backend.ts'

const rig = await startBackend()
const { backend, context, put, events } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const onDisk = (path: string) => readFile(join(rig.folder, path), 'utf8')

describe('what can be run', () => {
  test('with a shell it is a sandbox to DeepAgents, and each has its own id', async () => {
    await using other = await startBackend()
    expect(isSandboxBackend(backend)).toBe(true)
    expect(other.backend.id).not.toBe(backend.id)
  })

  test('without one it is none', () => {
    const { workspaces } = rig
    const plain = createWorkspaceBackend({ workspaces, contextOf: () => context })
    expect(isSandboxBackend(plain)).toBe(false)
    expect(plain).not.toHaveProperty('execute')
  })
})

describe('ls', () => {
  test('gives absolute paths, folders with a slash, sizes and times', async () => {
    await put('list/a.txt', 'four')
    await put('list/deep/b.txt', '')
    const changed = (path: string) =>
      stat(join(rig.folder, path)).then(({ mtimeMs }) => new Date(mtimeMs).toISOString())
    expect(await backend.ls('/list')).toEqual({
      files: [
        {
          ...{ path: '/list/a.txt', is_dir: false, size: 4 },
          modified_at: await changed('list/a.txt'),
        },
        {
          ...{ path: '/list/deep/', is_dir: true, size: 0 },
          modified_at: await changed('list/deep'),
        },
      ],
    })
  })

  test('of the root gives what a workspace begins with', async () => {
    const { files = [] } = await backend.ls('/')
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/files/', '/outputs/', '/uploads/']),
    )
  })

  test.each([
    ['/list/a.txt', 'is not a directory'],
    ['/list/none', 'does not exist'],
  ])('of %s says why not', async (path, why) => {
    expect(await backend.ls(path)).toEqual({ error: expect.stringContaining(why) })
  })
})

describe('read', () => {
  const lines = Array.from({ length: 600 }, (_, at) => `line ${at + 1}`)

  test('gives 500 lines unless told, and where to go on', async () => {
    await put('read/long.md', lines.join('\n'))
    expect(await backend.read('/read/long.md')).toEqual({
      ...{ content: lines.slice(0, 500).join('\n'), mimeType: 'text/markdown' },
      ...{ startLine: 1, endLine: 500, nextOffset: 500 },
    })
  })

  test('gives the lines from an offset, and how many there are where it saw the end', async () => {
    expect(await backend.read('/read/long.md', 598, 10)).toEqual({
      ...{ content: 'line 599\nline 600', mimeType: 'text/markdown' },
      ...{ startLine: 599, endLine: 600, totalLines: 600 },
    })
    expect(await backend.read('/read/long.md', 2, 1)).toMatchObject({
      ...{ content: 'line 3', startLine: 3, endLine: 3, nextOffset: 3 },
    })
  })

  test.each([
    [-3, 2, 'line 1\nline 2'],
    [0.9, 1.9, 'line 1'],
    [Number.NaN, 1, 'line 1'],
    [0, 0, ''],
  ])('offset %s and limit %s', async (offset, limit, content) => {
    expect(await backend.read('/read/long.md', offset, limit)).toMatchObject({ content })
  })

  test('gives no more than a model can take, whatever the limit', async () => {
    await put('read/huge.txt', `${'x'.repeat(999)}\n`.repeat(2_000))
    const read = await backend.read('/read/huge.txt', 0, Number.MAX_SAFE_INTEGER)
    expect(read).toMatchObject({ startLine: 1, endLine: 64, nextOffset: 64 })
    expect(String(read.content).length).toBeLessThan(64_001)
  })

  test('beyond the end says how many lines there are', async () => {
    expect(await backend.read('/read/long.md', 600)).toEqual({
      error: 'The file has only 600 lines. Use a smaller offset',
    })
  })

  test('of an empty file is empty', async () => {
    await put('read/empty.txt', '')
    expect(await backend.read('/read/empty.txt')).toEqual({ content: '', mimeType: 'text/plain' })
  })

  test('of a picture gives its bytes and kind', async () => {
    const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255])
    await put('read/shot.PNG', bytes)
    expect(await backend.read('/read/shot.PNG', 5, 1)).toEqual({
      ...{ content: bytes, mimeType: 'image/png' },
    })
  })

  test('of what is neither text nor shown by models says what to do', async () => {
    await put('read/all.zip', Uint8Array.from([80, 75, 3, 4, 0, 0]))
    expect(await backend.read('/read/all.zip')).toEqual({
      error: expect.stringMatching(/not a text file.*archive/),
    })
  })

  test('of an old encoding gives letters', async () => {
    await put('read/gbk.txt', Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4]))
    expect(await backend.read('/read/gbk.txt')).toMatchObject({ content: '中文' })
  })
})

describe('readRaw', () => {
  test.each([
    ['raw/a.json', '{}\r\n', 'application/json'],
    ['raw/a', 'bare', 'text/plain'],
  ])('%s is text as it stands', async (path, content, mimeType) => {
    await put(path, content)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await backend.readRaw(`/${path}`)).toEqual({
      data: { content, mimeType, created_at: time, modified_at: time },
    })
  })

  test.each([
    ['raw/a.pdf', 'application/pdf'],
    ['raw/a.bin', 'application/octet-stream'],
  ])('%s is bytes', async (path, mimeType) => {
    const content = Uint8Array.from([37, 0, 255])
    await put(path, content)
    expect(await backend.readRaw(`/${path}`)).toMatchObject({ data: { content, mimeType } })
  })
})

describe('write', () => {
  test('creates a file with its folders, and replaces it', async () => {
    expect(await backend.write('/new/deep/a.txt', 'one\n')).toEqual({ path: '/new/deep/a.txt' })
    expect(await backend.write('/new/deep/a.txt', 'two\n')).toEqual({ path: '/new/deep/a.txt' })
    expect(await onDisk('new/deep/a.txt')).toBe('two\n')
  })

  test('over a folder says so', async () => {
    expect(await backend.write('/new/deep', 'x')).toEqual({
      error: expect.stringContaining('is a directory'),
    })
  })
})

describe('edit', () => {
  test('replaces the one passage, or all where asked, and counts them', async () => {
    await put('edit/a.txt', 'a b a')
    expect(await backend.edit('/edit/a.txt', 'b', 'c')).toEqual({
      ...{ path: '/edit/a.txt', occurrences: 1 },
    })
    expect(await backend.edit('/edit/a.txt', 'a', 'd', true)).toMatchObject({ occurrences: 2 })
    expect(await onDisk('edit/a.txt')).toBe('d c d')
  })

  test.each([
    ['/edit/b.txt', 'a', 'in the file 2 times'],
    ['/edit/b.txt', 'z', 'not in the file'],
    ['/edit/b.txt', '', 'old_string is empty'],
    ['/edit/none.txt', 'a', 'does not exist'],
  ])('%s, %j: says why not, and changes nothing', async (path, old, why) => {
    await put('edit/b.txt', 'a b a')
    expect(await backend.edit(path, old, 'x')).toEqual({ error: expect.stringContaining(why) })
    expect(await onDisk('edit/b.txt')).toBe('a b a')
  })
})

describe('delete', () => {
  test('takes a file, and a folder with all it holds', async () => {
    await put('gone/deep/a.txt', 'x')
    await put('gone/b.txt', 'x')
    expect(await backend.delete!('/gone/b.txt')).toEqual({ path: '/gone/b.txt' })
    expect(await backend.delete!('/gone')).toEqual({ path: '/gone' })
    expect(await backend.ls('/gone')).toHaveProperty('error')
  })

  test('does not take the workspace itself', async () => {
    await put('stays.txt', 'x')
    expect(await backend.delete!('/')).toHaveProperty('error')
    expect(await onDisk('stays.txt')).toBe('x')
  })
})

describe('glob and grep', () => {
  test.each([
    ['**/*.ts', '/find', ['/find/a.ts', '/find/deep/b.ts']],
    ['*.ts', '/find', ['/find/a.ts']],
    ['/find/**/b.*', undefined, ['/find/deep/b.ts']],
    ['*.md', '/find', []],
  ])('glob %s in %s', async (pattern, path, paths) => {
    await put('find/a.ts', 'const a = 1 // (x.*)\n')
    await put('find/deep/b.ts', 'line\nconst b = 2\n')
    const { files, truncated } = await backend.glob(pattern, path)
    expect({ paths: files?.map((file) => file.path), truncated }).toEqual({
      ...{ paths, truncated: false },
    })
  })

  test('glob tells the size and time of a file', async () => {
    const { files } = await backend.glob('a.ts', '/find')
    const modified_at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(files).toEqual([{ path: '/find/a.ts', is_dir: false, size: 21, modified_at }])
  })

  test('grep is literal, in all files or those that fit', async () => {
    const match = { path: '/find/a.ts', line: 1, text: 'const a = 1 // (x.*)' }
    expect(await backend.grep('(x.*)', '/find')).toEqual({ matches: [match], truncated: false })
    expect(await backend.grep('c.nst', '/find')).toEqual({ matches: [], truncated: false })
    const paths = async (glob: string) =>
      (await backend.grep('const', '/find', glob)).matches?.map(({ path }) => path)
    expect(await paths('*.ts')).toEqual(['/find/a.ts', '/find/deep/b.ts'])
    expect(await paths('/deep/*.ts')).toEqual(['/find/deep/b.ts'])
  })

  test('grep gives as many as wanted and says that there are more', async () => {
    const found = await backend.grep('const', '/find', null, 1)
    expect(found).toMatchObject({ matches: [{ path: '/find/a.ts' }], truncated: true })
    await put('find/large.txt', Buffer.alloc(5 * 1024 * 1024, 'y'))
    expect(await backend.grep('const', '/find', '*.txt')).toEqual({ matches: [], truncated: true })
  })

  test.each([
    ['glob', () => backend.glob('*', '/none')],
    ['grep', () => backend.grep('x', '/none')],
    ['grep', () => backend.grep('', '/find')],
  ])('%s says what is wrong', async (_, search) => {
    expect(await search()).toEqual({ error: expect.any(String) })
  })
})

describe('uploadFiles and downloadFiles', () => {
  test('move bytes as they are, each with its own outcome', async () => {
    const bytes = Uint8Array.from([0, 1, 255])
    await put('up/folder/x', '')
    expect(
      await backend.uploadFiles!([
        ['/up/a.bin', bytes],
        ['/../b.bin', bytes],
        ['/up/folder', bytes],
      ]),
    ).toEqual([
      { path: '/up/a.bin', error: null },
      { path: '/../b.bin', error: 'invalid_path' },
      { path: '/up/folder', error: 'is_directory' },
    ])
    expect(
      await backend.downloadFiles!(['/up/a.bin', '/up/none', '/up/folder', '/up/a.bin/x']),
    ).toEqual([
      { path: '/up/a.bin', content: bytes, error: null },
      { path: '/up/none', content: null, error: 'file_not_found' },
      { path: '/up/folder', content: null, error: 'is_directory' },
      { path: '/up/a.bin/x', content: null, error: 'invalid_path' },
    ])
  })
})

describe('events [D8.2]', () => {
  const told = async (work: () => unknown) => {
    events.length = 0
    await work()
    return events.map(({ timestamp: _, ...event }) => event)
  }
  const event = { event_type: 'file_operation', tool_call_id: 'call-1', path: 'told/a.txt' }

  test('each change is told with its difference, under the path of the workspace', async () => {
    expect(await told(() => backend.write('/told/a.txt', 'one\ntwo\n'))).toEqual([
      {
        ...{ ...event, operation: 'write', additions: 2, deletions: 0 },
        diff: expect.stringContaining('+++ b/told/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two'),
      },
    ])
    expect(await told(() => backend.edit('/told/a.txt', 'two', 'three'))).toEqual([
      {
        ...{ ...event, operation: 'edit', additions: 1, deletions: 1 },
        diff: expect.stringContaining('-two\n+three'),
      },
    ])
    expect(await told(() => backend.delete!('/told/a.txt'))).toEqual([
      {
        ...{ ...event, operation: 'delete', additions: 0, deletions: 2 },
        diff: expect.stringContaining('-one\n-three'),
      },
    ])
  })

  test.each([
    ['read', () => backend.read('/told/a.txt')],
    ['readRaw', () => backend.readRaw('/told/a.txt')],
    ['downloadFiles', () => backend.downloadFiles!(['/told/a.txt'])],
  ])('%s is told', async (_, read) => {
    await put('told/a.txt', 'one')
    const fields = { operation: 'read', diff: '', additions: 0, deletions: 0 }
    expect(await told(read)).toEqual([{ ...event, ...fields }])
  })

  test('what failed is not', async () => {
    expect(await told(() => backend.write('/../x', 'y'))).toEqual([])
    expect(await told(() => backend.edit('/told/a.txt', 'none', 'y'))).toEqual([])
  })
})

describe('origins', () => {
  test.each([
    ['write', () => backend.write('/doubt/a.md', 'one')],
    ['uploadFiles', () => backend.uploadFiles!([['/doubt/a.md', Buffer.from('one')]])],
    ['edit', () => backend.edit('/doubt/a.md', 'plain', 'one')],
  ])('what %s leaves is as doubtful as what its run has read', async (_, change) => {
    await put('doubt/a.md', 'plain')
    rig.beginRun('web')
    await change()
    const later = rig.beginRun()
    await backend.read('/doubt/a.md')
    expect([...later]).toEqual(['web'])
  })

  test.each([
    ['read', () => backend.read('/doubt/a.md')],
    ['readRaw', () => backend.readRaw('/doubt/a.md')],
    ['downloadFiles', () => backend.downloadFiles!(['/doubt/a.md'])],
    ['grep', () => backend.grep('one', '/doubt')],
    ['edit', () => backend.edit('/doubt/a.md', 'nowhere', 'x')],
  ])('%s hands the doubts on', async (_, look) => {
    rig.beginRun('mail', 'web')
    await backend.write('/doubt/a.md', 'one')
    const later = rig.beginRun()
    await look()
    expect([...later].sort()).toEqual(['mail', 'web'])
  })
})

test('writes at once never pass the quota, and the refusal says what to do [D33.6]', async () => {
  await using small = await startBackend({ quotaOf: () => 1_000 })
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, at) => small.backend.write(`/files/${at}`, 'x'.repeat(200))),
  )
  const refused = results.filter(({ error }) => error !== undefined)
  expect(refused).toHaveLength(15)
  expect(refused[0]?.error).toMatch(/1000 bytes of 1000 bytes are used.*Delete files/s)
  expect(await small.backend.uploadFiles!([['/files/x', Buffer.from('xx')]])).toEqual([
    { path: '/files/x', error: 'permission_denied' },
  ])
})

test('who acts for no user has no files', async () => {
  await using machine = await startBackend()
  machine.context.principal = { ...machine.context.principal, user_id: null }
  const error = expect.stringContaining('no workspace')
  expect(await machine.backend.read('/files/a')).toEqual({ error })
  expect(await machine.backend.write('/files/a', 'x')).toEqual({ error })
  expect((await machine.backend.execute('echo hi')).output).toContain('no workspace')
})

test('each call works in the workspace of who makes it', async () => {
  await using two = await startBackend()
  await two.backend.write('/files/a.txt', 'of ada')
  two.context.principal = { ...two.context.principal, user_id: 'bob' }
  expect(await two.backend.read('/files/a.txt')).toHaveProperty('error')
  await two.backend.write('/files/a.txt', 'of bob')
  expect(await readFile(join(two.folder, 'files/a.txt'), 'utf8')).toBe('of ada')
})

test('a run that has ended begins nothing more: its reason is thrown', async () => {
  await using ended = await startBackend()
  ended.context.signal = AbortSignal.abort(new Error('the run is over'))
  const { backend: late } = ended
  await expect(late.write('/files/a.txt', 'x')).rejects.toThrow('the run is over')
  await expect(late.downloadFiles!(['/files/a.txt'])).rejects.toThrow('the run is over')
  await expect(late.execute('touch files/a.txt')).rejects.toThrow('the run is over')
  await expect(stat(join(ended.folder, 'files/a.txt'))).rejects.toThrow('ENOENT')
})
