import { once } from 'node:events'
import { access, readdir, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileInfo, FileList, WorkspaceInfo } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const contentAt = (path: string) => `/files/content?path=${encodeURIComponent(path)}`

const put = (path: string, body: string | Uint8Array<ArrayBuffer>, as: Person = 'ada') =>
  server.ask<FileInfo>('PUT', contentAt(path), {
    ...{ as, body },
    headers: { 'content-type': 'application/octet-stream' },
  })

const read = (path: string, as: Person = 'ada') =>
  server.ask<string>('GET', contentAt(path), { as })

/** What is on the disk of a user's folder, temporary files too. */
const onDisk = (person: Person, folder: string) =>
  readdir(join(server.dir, 'workspaces', '@acme', person, folder))

async function usageOf(as: Person): Promise<WorkspaceInfo> {
  return (await server.ask<WorkspaceInfo>('GET', '/workspace', { as })).body
}

async function setQuota(workspace_quota: number): Promise<void> {
  await server.platform.tables.tenants.update('acme', { workspace_quota })
  await server.platform.tenants.reload('acme')
}

describe('files', () => {
  test('are uploaded, listed, downloaded and deleted; folders are there from the start [D33.1] [D33.2]', async () => {
    const made = await put('uploads/日本 "1".txt', 'Hello')
    expect(made).toMatchObject({ status: 200, body: { kind: 'file', size: 5 } })
    const top = await server.ask<FileList>('GET', '/files')
    expect(top.body.entries.map(({ path }) => path)).toEqual(['files', 'outputs', 'uploads'])
    const list = await server.ask<FileList>('GET', '/files?path=uploads')
    expect(list.body).toMatchObject({
      path: 'uploads',
      truncated: false,
      entries: [{ path: 'uploads/日本 "1".txt', kind: 'file', size: 5 }],
    })
    const [entry] = list.body.entries
    expect(entry).toEqual(made.body)
    expect(Number.isInteger(entry?.modified_at)).toBe(true)
    expect((await read(entry?.path ?? '')).body).toBe('Hello')
    const path = encodeURIComponent('uploads/日本 "1".txt')
    expect((await server.ask('DELETE', `/files?path=${path}`)).status).toBe(204)
    expect((await read('uploads/日本 "1".txt')).status).toBe(404)
  })

  test('are downloaded to be saved, never to be shown', async () => {
    await put('files/page.html', '<script>alert(1)</script>')
    const { headers } = await read('files/page.html')
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/)
    expect(headers.get('content-length')).toBe('25')
    await put(`files/a'b";é.txt`, '')
    expect((await read(`files/a'b";é.txt`)).headers.get('content-disposition')).toBe(
      `attachment; filename="a_b___.txt"; filename*=UTF-8''a%27b%22%3B%C3%A9.txt`,
    )
  })

  test('hold any bytes, and an upload replaces the whole', async () => {
    const bytes = new Uint8Array(300_000).map((_, at) => at % 251)
    await put('files/data.bin', 'before')
    await put('files/data.bin', bytes)
    const response = await fetch(`${server.url}/api/v1${contentAt('files/data.bin')}`, {
      headers: { 'x-api-key': keyOf('ada') },
    })
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  test('are replaced by no upload that is to make a new one', async () => {
    await put('files/taken.txt', 'first')
    const headers = { 'content-type': 'application/octet-stream' }
    const send = (name: string) =>
      server.ask('PUT', `${contentAt(name)}&replace=false`, { body: 'second', headers })
    expect(await send('files/taken.txt')).toMatchObject({
      ...{ status: 409, body: { error_code: 'conflict' } },
    })
    expect((await read('files/taken.txt')).body).toBe('first')
    expect((await send('files/free.txt')).status).toBe(200)
  })

  test.each(['bob', 'boss', 'zoe', 'operator'] as const)(
    'of Ada are not those of %s [D32.3] [D32.4]',
    async (as) => {
      await put('files/mine.txt', 'Mine')
      expect((await read('files/mine.txt', as)).status).toBe(404)
      await put('files/mine.txt', `Of ${as}`, as)
      expect((await read('files/mine.txt')).body).toBe('Mine')
    },
  )

  test.each([
    '../bob/files/x.txt',
    '/etc/passwd',
    'files/../../x',
    'files/\0x',
    '..',
    'files//../..',
  ])('outside of the workspace are refused: %j [D32.6] [D33.3] [D33.4]', async (path) => {
    for (const answer of [
      await read(path),
      await put(path, 'x'),
      await server.ask('DELETE', `/files?path=${encodeURIComponent(path)}`),
      await server.ask('GET', `/files?path=${encodeURIComponent(path)}`),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ error_code: 'path_denied' })
    }
  })

  test('are not reached through a link [D33.4]', async () => {
    await put('files/x.txt', 'x')
    const folder = join(server.dir, 'workspaces', '@acme', 'ada', 'files')
    await symlink('/etc/passwd', join(folder, 'link'))
    expect((await read('files/link')).status).toBe(403)
    expect((await put('files/link', 'x')).status).toBe(403)
  })

  test('stay where the folder that is deleted is not empty', async () => {
    await put('files/full/x.txt', 'x')
    const refused = await server.ask('DELETE', '/files?path=files/full')
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect((await read('files/full/x.txt')).body).toBe('x')
  })

  test('are kept byte for byte, whatever type they are sent as', async () => {
    for (const type of ['application/json', 'text/plain', 'text/csv', 'application/octet-stream']) {
      const headers = { 'content-type': type }
      const sent = { headers, body: '{"a" :1}' }
      expect((await server.ask('PUT', contentAt('files/a.json'), sent)).status).toBe(200)
      expect((await read('files/a.json')).body).toBe('{"a" :1}')
    }
  })

  test('are no affair of an auditor, nor of someone without a key', async () => {
    expect((await server.ask('GET', '/files', { as: 'eve' })).status).toBe(403)
    expect((await server.ask('GET', '/files', { as: null })).status).toBe(401)
  })
})

describe('the quota', () => {
  beforeEach(() => setQuota(1_000_000))

  test('is told beside what is used [D33.5]', async () => {
    const body = await usageOf('boss')
    expect(body).toMatchObject({ quota_bytes: 1_000_000 })
    expect(body.left_bytes).toBe(1_000_000 - body.bytes)
  })

  test('refuses an upload over it in the midst, says so, and nothing of it stays [D33.5] [D33.6]', async () => {
    await put('uploads/kept.txt', 'kept', 'bob')
    const refused = await put('uploads/large.bin', new Uint8Array(3_000_000), 'bob')
    expect(refused).toMatchObject({ status: 429, body: { error_code: 'quota_exceeded' } })
    expect(String((refused.body as { message?: string }).message)).toContain(
      'The workspace is full',
    )
    expect(await onDisk('bob', 'uploads')).toEqual(['kept.txt'])
    await put('uploads/new/deep/large.bin', new Uint8Array(3_000_000), 'bob')
    expect(await onDisk('bob', 'uploads')).toEqual(['kept.txt'])
    expect((await put('uploads/small.bin', new Uint8Array(900_000), 'bob')).status).toBe(200)
  })
})

test('an upload that breaks off leaves nothing, and is no fault of ours', async () => {
  await setQuota(100_000_000)
  await put('uploads/first.txt', 'x', 'boss')
  const before = await usageOf('boss')
  const upload = request(`${server.url}/api/v1${contentAt('uploads/half.bin')}`, {
    method: 'PUT',
    headers: {
      'x-api-key': keyOf('boss'),
      'content-type': 'application/octet-stream',
      'content-length': 5_000_000,
    },
  })
  const isClosed = new Promise((resolve) => upload.on('error', () => {}).on('close', resolve))
  upload.write(new Uint8Array(200_000))
  await waitFor(async () => (await onDisk('boss', 'uploads')).length === 2)
  upload.destroy()
  await isClosed
  await waitFor(async () => (await onDisk('boss', 'uploads')).length === 1)
  expect(await usageOf('boss')).toEqual(before)
  expect(server.records.filter(({ level }) => level === 'error')).not.toContainEqual(
    expect.objectContaining({ message: 'request failed' }),
  )
})

test('an upload may take its time, and is cut off when nothing more comes', async () => {
  await using patient = await startTestPlatform({ config: { request_timeout: 2 } })
  const pieces = 25
  const send = async (path: string, last: number) => {
    const upload = request(`${patient.url}/api/v1${contentAt(path)}`, {
      method: 'PUT',
      headers: {
        ...{ 'x-api-key': keyOf('ada'), 'content-type': 'application/octet-stream' },
        'content-length': pieces,
      },
    })
    const answered = once(upload, 'response').then(([response]) => response.statusCode)
    upload.on('error', () => {})
    for (let piece = 0; piece < last; piece += 1) {
      upload.write('x')
      await sleep(100)
    }
    return answered
  }
  expect(await Promise.all([send('files/slow', pieces), send('files/silent', 1)])).toEqual([
    200, 408,
  ])
  const { body } = await patient.ask<FileList>('GET', '/files?path=files')
  expect(body.entries).toMatchObject([{ path: 'files/slow', size: pieces }])
}, 60_000)

test('a download whose reader leaves lets the workspace go', async () => {
  await setQuota(100_000_000)
  await put('files/long.bin', new Uint8Array(20_000_000), 'bob')
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/api/v1${contentAt('files/long.bin')}`, {
    headers: { 'x-api-key': keyOf('bob') },
    signal: leaving.signal,
  })
  expect(response.status).toBe(200)
  leaving.abort()
  expect((await server.ask('DELETE', '/files?path=files/long.bin', { as: 'bob' })).status).toBe(204)
  await expect(
    access(join(server.dir, 'workspaces', '@acme', 'bob', 'files', 'long.bin')),
  ).rejects.toThrow()
})
