import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxOptions } from '@dataagent/guard'
import { ownServerId } from '@dataagent/hub'
import { ensureBinary, reportSkip, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { startBackend } from './test-backend.ts'

async function findModes(): Promise<SandboxOptions['mode'][]> {
  if (await ensureBinary('bwrap', 'bubblewrap')) return ['off', 'required']
  reportSkip(import.meta.filename, 'bubblewrap is not here and cannot be installed')
  return ['off']
}

const modes = await findModes()

/** Processes whose command line has the text. */
async function countRunning(text: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''))
  return (await Promise.all(lines)).filter((line) => line.includes(text)).length
}

/** A number of seconds that nobody else sleeps. */
const oddSeconds = () => `${100_000 + Math.floor(Math.random() * 900_000)}`

describe.each(modes)('a command in mode %s [D7.4]', (mode) => {
  const sandbox: SandboxOptions = { mode }

  test('works in the workspace, and gives its output, errors and exit code', async () => {
    await using rig = await startBackend({ sandbox })
    await rig.backend.write('/files/a.txt', 'hello\n')
    const command = 'cat files/a.txt; echo oops >&2; echo new > files/b.txt; exit 3'
    const { output, ...rest } = await rig.backend.execute(command)
    expect(output).toBe(`hello\noops${mode === 'off' ? '\n[exit code 3, unsandboxed]' : ''}`)
    expect(rest).toEqual({ exitCode: 3, truncated: false })
    expect(await rig.backend.read('/files/b.txt')).toMatchObject({ content: 'new' })
  })

  test('sees no variables but those given', async () => {
    process.env.PLANTED_SECRET = 'planted'
    await using rig = await startBackend({ sandbox })
    const { output } = await rig.backend.execute('env')
    delete process.env.PLANTED_SECRET
    const names: string[] = output.match(/^\w+(?==)/gm) ?? []
    const given = names.filter((name) => !/^DATAAGENT_|^_$|SHLVL/.test(name))
    expect(given.toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'PWD'])
    expect(output).not.toContain('planted')
  })

  test('ends with the run, with all that it has started', async () => {
    await using rig = await startBackend({ sandbox })
    const stop = new AbortController()
    rig.context.signal = stop.signal
    const seconds = oddSeconds()
    const running = rig.backend.execute(
      `trap "" TERM; for i in 1 2 3; do sleep ${seconds} & done; ` +
        `setsid sleep ${seconds} & (sleep ${seconds} &); wait`,
    )
    await waitFor(async () => (await countRunning(`sleep\0${seconds}`)) === 5, {
      timeoutMs: 30_000,
    })
    stop.abort(new Error('the run is over'))
    await expect(running).rejects.toThrow('the run is over')
    expect(await countRunning(`sleep\0${seconds}`)).toBe(0)
  }, 60_000)

  test('that writes much keeps the beginning and the end', async () => {
    await using rig = await startBackend({ sandbox })
    const told = await rig.backend.execute('echo first; seq 1 100000; echo last')
    expect(told).toMatchObject({ exitCode: 0, truncated: true })
    expect(told.output).toMatch(/^first\n1\n2\n/)
    expect(told.output).toMatch(/bytes left out.*99999\n100000\nlast/s)
    expect(told.output.length).toBeLessThan(33_000)
  })

  test('that writes without end is stopped', async () => {
    await using rig = await startBackend({ sandbox })
    const told = await rig.backend.execute('yes')
    expect(told).toMatchObject({ exitCode: null, truncated: true })
    expect(told.output).toContain('[stopped: it wrote too much')
  }, 90_000)

  test('that fills the workspace is stopped, and the bytes are counted', async () => {
    const quotaOf = () => 2_000_000
    await using rig = await startBackend({ sandbox, quotaOf, measureEveryMs: 20 })
    const fill = 'while i=$((i + 1)); do head -c 10000 /dev/zero > files/$i; done'
    const told = await rig.backend.execute(fill)
    expect(told.exitCode).toBeNull()
    expect(told.output).toContain('[stopped: The workspace is full')
    const { error } = await rig.backend.write('/files/more.txt', 'x')
    expect(error).toContain('The workspace is full')
    const { output } = await rig.backend.execute('echo again')
    expect(output).toContain('[not run: The workspace is full')
  }, 90_000)

  test('makes links that then lead nobody out', async () => {
    await using rig = await startBackend({ sandbox })
    await writeFile(join(rig.dir, 'outside.txt'), 'canary')
    const before = await rig.outside()
    const { exitCode } = await rig.backend.execute(
      `ln -s "${rig.dir}" files/door; ln -s "${rig.dir}/outside.txt" files/link.txt; ` +
        'ln -s ../../../outside.txt files/up.txt; ln -s /etc files/etc; mkfifo files/pipe',
    )
    expect(exitCode).toBe(0)
    for (const path of ['door/outside.txt', 'link.txt', 'up.txt', 'etc/passwd', 'pipe']) {
      expect(await rig.backend.read(`/files/${path}`)).toEqual({ error: expect.any(String) })
      expect(await rig.backend.write(`/files/${path}`, 'x')).toEqual({ error: expect.any(String) })
    }
    expect((await rig.backend.grep('canary', '/')).matches).toEqual([])
    await rig.backend.delete!('/files')
    expect(await rig.outside()).toEqual(before)
  })
})

describe.runIf(modes.includes('required'))('in a sandbox a command', () => {
  const sandbox: SandboxOptions = { mode: 'required' }

  test('sees and writes nothing but the workspace', async () => {
    await using rig = await startBackend({ sandbox })
    await writeFile(join(rig.dir, 'secret'), 'canary')
    const before = await rig.outside()
    const { output } = await rig.backend.execute(
      `cat "${rig.dir}/secret" ../../secret; echo x > ../../y; echo x > "${rig.dir}/z"; ` +
        'mkdir ../eve; ls /root /home; cat /proc/1/environ',
    )
    expect(output).not.toContain('canary')
    expect(await rig.outside()).toEqual(before)
  })

  test('runs also where nothing was said of one', async () => {
    await using rig = await startBackend()
    expect(await rig.backend.execute('ls -d /root/* || echo none')).toMatchObject({
      ...{ output: expect.stringMatching(/none$/), exitCode: 0 },
    })
  })

  test('has no network', async () => {
    await using rig = await startBackend({ sandbox })
    const { output } = await rig.backend.execute('cat /proc/net/dev')
    expect(output).toContain('lo:')
    expect(output).not.toMatch(/eth|ens|enp|wlan/)
  })

  test('leaves no doubt, but hands on what its run had', async () => {
    await using rig = await startBackend({ sandbox })
    const clean = rig.beginRun()
    await rig.backend.execute('echo a > files/clean.txt')
    expect([...clean]).toEqual([])
    rig.beginRun('web')
    await rig.backend.execute('echo b > files/doubtful.txt')
    const later = rig.beginRun()
    await rig.backend.read('/files/clean.txt')
    expect([...later]).toEqual([])
    await rig.backend.read('/files/doubtful.txt')
    expect([...later]).toEqual(['web'])
  })
})

test('without a sandbox what a command says and writes is doubtful', async () => {
  await using rig = await startBackend({ sandbox: { mode: 'off' } })
  const run = rig.beginRun()
  await rig.backend.execute('echo a > files/a.txt')
  expect([...run]).toEqual([ownServerId])
  const later = rig.beginRun()
  await rig.backend.read('/files/a.txt')
  expect([...later]).toEqual([ownServerId])
})

test.each([
  ['', 'empty'],
  ['x'.repeat(20_001), 'long'],
  ['echo a\0b', 'with a NUL'],
])('a command that cannot be run says so (%#)', async (command) => {
  await using rig = await startBackend({ sandbox: { mode: 'off' } })
  expect(await rig.backend.execute(command)).toEqual({
    ...{ output: expect.stringMatching(/^\[not run: .{10,}\]$/s), exitCode: null },
    truncated: false,
  })
})
