import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callingTestFile, ensureBinary, reportSkip, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createShellMiddleware } from '../middleware/index.ts'
import type { WorkspacesOptions } from './contract.ts'
import { createWorkspaces } from './workspaces.ts'

const mebibyte = 1024 * 1024
const ada = { tenant_id: 'default', user_id: 'ada' }
const modes = (await ensureBinary('bwrap', 'bubblewrap'))
  ? (['off', 'required'] as const)
  : (['off'] as const)
if (modes.length === 1) reportSkip(callingTestFile(), 'bubblewrap is not here')

async function openShell(
  mode: (typeof modes)[number],
  options: Partial<WorkspacesOptions> & { quota?: number } = {},
) {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const { quota = 4 * mebibyte, ...own } = options
  const given = { root: path, quotaOf: () => quota, measureEveryMs: 20, reserveBytes: 0, ...own }
  const workspaces = cleanup.use(createWorkspaces(given))
  const { tools } = createShellMiddleware({
    useFolder: (_, work) => workspaces.useFolder(ada, new Set(), work),
    sandbox: { mode },
    env: { PATH: '/usr/bin:/bin' },
  })
  return {
    ...{ workspaces, folder: join(path, 'ada') },
    async run(command: string) {
      const { signal } = new AbortController()
      const principal = { ...ada, role: 'user' as const }
      const result = await tools![0]!.run({ command }, { principal, signal, call_id: 'c' })
      const [part] = result.content
      const told = result.structuredContent as { stopped: string | null }
      return { text: part?.type === 'text' ? part.text : '', ...told }
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** Small files one after the other: no single one is too large. */
const fills = 'i=0; while :; do i=$((i+1)); head -c 65536 /dev/zero > files/$i; done'
const makesFiles = 'i=0; while :; do i=$((i+1)); ln -s nowhere files/$i; done'

describe.each(modes)('a command in mode %s', (mode) => {
  test('that fills the workspace is ended when the quota is passed, and is told so [D33.5]', async () => {
    await using shell = await openShell(mode)
    const { stopped, text } = await shell.run(fills)
    expect(stopped).toBe('quota')
    expect(text).toMatch(/stopped: The workspace is full: .* of 4 MiB are used/)
    expect((await shell.workspaces.usage(ada)).left_bytes).toBe(0)
  })

  test('that makes more files than a workspace may have is ended too', async () => {
    await using shell = await openShell(mode, { maxFiles: 500 })
    const { stopped, text } = await shell.run(makesFiles)
    expect(stopped).toBe('quota')
    expect(text).toContain('at most 500')
  })

  test('is not begun in a workspace that is over its quota', async () => {
    let quota = 4 * mebibyte
    await using shell = await openShell(mode, { quotaOf: () => quota })
    expect((await shell.run('head -c 2097152 /dev/zero > files/a')).text).toContain('exit code 0')
    quota = mebibyte
    const refused = shell.run('touch files/b')
    await expect(refused).rejects.toMatchObject({ code: 'quota_exceeded' })
    await expect(stat(join(shell.folder, 'files/b'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('is not begun where the disk has no more room than what is kept free', async () => {
    await using shell = await openShell(mode, { reserveBytes: Number.MAX_SAFE_INTEGER })
    await expect(shell.run('true')).rejects.toMatchObject({ code: 'storage_full' })
  })

  test('is not begun where a part of the workspace cannot be measured', async () => {
    await using shell = await openShell(mode)
    await shell.run('true')
    const deep = join(shell.folder, 'files', ...Array.from({ length: 260 }, () => 'd'))
    await mkdir(deep, { recursive: true })
    await writeFile(join(deep, 'hidden'), 'x')
    await expect(shell.run('true')).rejects.toThrow('cannot be measured')
  })
})

test.runIf(modes.length > 1)('no file of a command grows beyond the quota', async () => {
  await using shell = await openShell('required', { measureEveryMs: 60_000 })
  const { text } = await shell.run('head -c 9000000 /dev/zero > files/a; wc -c < files/a')
  expect(text).toContain(`${4 * mebibyte}`)
})
