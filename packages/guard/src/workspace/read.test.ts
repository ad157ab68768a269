import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { holds, openTestWorkspace } from './test-workspace.ts'

const TERABYTE = 1024 ** 4

describe.each(holds)('reading, held by %s', (hold) => {
  test('gives the whole content with size and time', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a.txt', 'héllo')
    const { bytes, ...info } = await t.workspace.read('./x/../a.txt')
    expect(bytes.toString()).toBe('héllo')
    expect(info).toEqual(await t.workspace.stat('a.txt'))
  })

  test.each([
    [{ offset: 2, length: 3 }, '234'],
    [{ offset: 8 }, '89'],
    [{ offset: 8, length: 50 }, '89'],
    [{ offset: 50 }, ''],
    [{ length: 0 }, ''],
  ])('gives the range %j, at once and as a stream', async (range, expected) => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a.txt', '0123456789')
    const read = await t.workspace.read('a.txt', range)
    const streamed = await buffer((await t.workspace.stream('a.txt', range)).stream)
    expect([read.bytes.toString(), streamed.toString()]).toEqual([expected, expected])
  })

  test.each([{ offset: -1 }, { length: 1.5 }, { offset: Number.NaN }])(
    'refuses the range %j',
    async (range) => {
      await using t = await openTestWorkspace({ hold })
      await t.workspace.write('a.txt', 'x')
      const refusal = { code: 'invalid_request' }
      await expect(t.workspace.read('a.txt', range)).rejects.toMatchObject(refusal)
      await expect(t.workspace.stream('a.txt', range)).rejects.toMatchObject(refusal)
    },
  )

  test('refuses a sparse terabyte by its size, and still gives a range of it [T53]', async () => {
    await using t = await openTestWorkspace({ hold })
    await writeFile(join(t.root, 'sparse'), 'head')
    await truncate(join(t.root, 'sparse'), TERABYTE)
    await expect(t.workspace.read('sparse')).rejects.toMatchObject({
      code: 'too_large',
      data: { bytes: TERABYTE, max_bytes: 10 * 1024 * 1024 },
    })
    const { bytes } = await t.workspace.read('sparse', { length: 4 })
    expect(bytes.toString()).toBe('head')
  })

  test('refuses more than the cap of the call', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a.txt', '12345')
    const read = t.workspace.read('a.txt', { maxBytes: 4 })
    await expect(read).rejects.toMatchObject({ code: 'too_large' })
  })

  test('a cancelled stream ends with an error and the file is closed', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.write('a.txt', 'x'.repeat(1_000_000))
    const controller = new AbortController()
    const { stream } = await t.workspace.stream('a.txt', { signal: controller.signal })
    const ended = buffer(stream)
    controller.abort()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    await expect(t.workspace.stream('a.txt', { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  test('a missing file is not found, a directory is not a file', async () => {
    await using t = await openTestWorkspace({ hold })
    await t.workspace.makeDir('d')
    await expect(t.workspace.read('nothing')).rejects.toMatchObject({ code: 'not_found' })
    await expect(t.workspace.read('d')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(t.workspace.read('.')).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe.each(holds)('what is not a plain file is refused, held by %s', (hold) => {
  test('a symbolic link, at the end or on the way, out or in [T53]', async () => {
    await using t = await openTestWorkspace({ hold })
    await mkdir(join(t.root, 'dir'))
    await writeFile(join(t.root, 'dir', 'canary.txt'), 'mine')
    await symlink(join(t.outside, 'canary.txt'), join(t.root, 'file-out'))
    await symlink(t.outside, join(t.root, 'dir-out'))
    await symlink('dir', join(t.root, 'dir-in'))
    await symlink('/dev/zero', join(t.root, 'zero'))
    await symlink('loop', join(t.root, 'loop'))
    for (const path of ['file-out', 'dir-out/canary.txt', 'dir-in/canary.txt', 'zero', 'loop']) {
      await expect(t.workspace.read(path), path).rejects.toMatchObject({
        code: 'path_denied',
        message: expect.stringMatching(/symbolic link/),
      })
    }
  })

  test('a hard link', async () => {
    await using t = await openTestWorkspace({ hold })
    await link(join(t.outside, 'canary.txt'), join(t.root, 'hard'))
    const refusal = { code: 'path_denied', message: expect.stringMatching(/hard link/) }
    await expect(t.workspace.read('hard')).rejects.toMatchObject(refusal)
    await expect(t.workspace.write('hard', 'x')).rejects.toMatchObject(refusal)
    await expect(t.workspace.append('hard', 'x')).rejects.toMatchObject(refusal)
    await expect(t.workspace.stat('hard')).resolves.toMatchObject({ kind: 'other', size: 0 })
  })

  test.skipIf(process.platform === 'win32')(
    'a FIFO, without waiting for its writer [T53]',
    async () => {
      await using t = await openTestWorkspace({ hold })
      execFileSync('mkfifo', [join(t.root, 'fifo')])
      const refusal = { code: 'path_denied', message: expect.stringMatching(/regular file/) }
      await expect(t.workspace.read('fifo')).rejects.toMatchObject(refusal)
      await expect(t.workspace.stream('fifo')).rejects.toMatchObject(refusal)
      await expect(t.workspace.write('fifo', 'x')).rejects.toMatchObject(refusal)
      await expect(t.workspace.append('fifo', 'x')).rejects.toMatchObject(refusal)
      await expect(t.workspace.copy('fifo', 'x')).rejects.toMatchObject(refusal)
    },
  )

  test.skipIf(process.platform === 'win32')('a socket', async () => {
    await using t = await openTestWorkspace({ hold })
    await using server = createServer()
    server.listen(join(t.root, 'socket'))
    await once(server, 'listening')
    await expect(t.workspace.read('socket')).rejects.toMatchObject({ code: 'path_denied' })
  })

  test('the directory beside the root whose name begins with the root’s', async () => {
    await using t = await openTestWorkspace({ hold })
    for (const path of ['../u10/canary.txt', `${t.outside}/canary.txt`, 'x/../../u10/canary.txt']) {
      await expect(t.workspace.read(path)).rejects.toMatchObject({ code: 'path_denied' })
    }
  })

  test('and no message tells where the workspace is', async () => {
    await using t = await openTestWorkspace({ hold })
    await symlink(t.outside, join(t.root, 'link'))
    for (const path of ['nothing', 'link', 'link/x', '../x', 'x/y/z', '.']) {
      const error = await t.workspace.read(path).catch((thrown) => thrown)
      expect(error).toMatchObject({ name: 'AppError' })
      expect(`${error.message} ${JSON.stringify(error.data ?? {})}`).not.toContain(t.root)
    }
  })
})
