import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxOptions } from '@dataagent/guard'
import { ensureBinary, reportSkip, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createShellMiddleware, type ShellOptions } from './shell-middleware.ts'

const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }

async function findModes(): Promise<SandboxOptions['mode'][]> {
  if (await ensureBinary('bwrap', 'bubblewrap')) return ['off', 'required']
  reportSkip(import.meta.filename, 'bubblewrap is not here and cannot be installed')
  return ['off']
}

const modes = await findModes()

interface Told {
  exit_code: number | null
  output_bytes: number
  sandboxed: boolean
}

async function setUp(fields: Partial<ShellOptions> = {}) {
  const directory = await temporaryDirectory()
  const folder = join(directory.path, 'ada')
  await mkdir(folder)
  const middleware = createShellMiddleware({
    useFolder: (_, work) => work(folder),
    env,
    sandbox: { mode: 'off' },
    ...fields,
  })
  const shell = middleware.tools?.[0]
  return {
    ...{ folder, shell, outside: directory.path },
    async run(args: Record<string, unknown> | string, signal = new AbortController().signal) {
      const principal = { tenant_id: 't1', user_id: 'ada', role: 'user' as const }
      const given = typeof args === 'string' ? { command: args } : args
      const result = await shell?.run(given, { principal, signal, call_id: 'c1' })
      const [part] = result?.content ?? []
      const text = part?.type === 'text' ? part.text : ''
      return { text, isError: result?.isError, ...(result?.structuredContent as Told | undefined) }
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** Processes whose command line has the text. */
async function findRunning(text: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    if (line.includes(text)) found.push(pid)
  }
  return found
}

/** A number of seconds that nobody else sleeps. */
const oddSeconds = () => `${100_000 + Math.floor(Math.random() * 900_000)}`

test('asks for approval [D7.4]', async () => {
  await using scene = await setUp()
  expect(scene.shell).toMatchObject({ name: 'shell', approval: 'ask', untrusted: true })
  expect(scene.shell?.annotations).toMatchObject({ openWorldHint: true, destructiveHint: true })
})

describe.each(modes)('a command in mode %s [D7.4]', (mode) => {
  const sandbox: SandboxOptions = { mode }

  test('runs in the folder and gives output, errors and exit code in order', async () => {
    await using scene = await setUp({ sandbox })
    await writeFile(join(scene.folder, 'a.txt'), 'hello\n')
    const result = await scene.run('cat a.txt; echo oops >&2; echo new > b.txt; exit 3')
    expect(result.text).toContain('hello\noops\n[exit code 3')
    expect(result).toMatchObject({
      ...{ exit_code: 3, signal: null, stopped: null, isError: false },
      sandboxed: mode === 'required',
    })
    expect(result.text.includes('unsandboxed')).toBe(mode === 'off')
    expect(await readFile(join(scene.folder, 'b.txt'), 'utf8')).toBe('new\n')
  })

  test('sees no variables but those given', async () => {
    await using scene = await setUp({ sandbox })
    const { text } = await scene.run('env')
    const names: string[] = text.match(/^\w+(?==)/gm) ?? []
    const given = names.filter((name) => !/^DATAAGENT_|^_$|SHLVL/.test(name))
    expect(given.toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'PWD'])
    expect(text).toContain(`HOME=${scene.folder}`)
  })

  test('begins in the folder that is asked for', async () => {
    await using scene = await setUp({ sandbox })
    await mkdir(join(scene.folder, "it's $HOME; here"))
    const { text } = await scene.run({ command: 'pwd; echo "$#"', cwd: "it's $HOME; here" })
    expect(text).toContain(`${scene.folder}/it's $HOME; here\n0\n`)
    expect((await scene.run({ command: 'pwd', cwd: 'nowhere' })).exit_code).toBe(2)
  })

  test('is stopped when its time is over, with what it has written', async () => {
    await using scene = await setUp({ sandbox })
    const seconds = oddSeconds()
    const result = await scene.run({ command: `echo begun; sleep ${seconds}`, timeout_seconds: 1 })
    expect(result.text).toContain('begun\n[stopped after 1 s')
    expect(result).toMatchObject({ stopped: 'timeout', isError: true })
    expect(await findRunning(`sleep\0${seconds}`)).toEqual([])
  }, 60_000)

  test('that is cancelled leaves no process behind, whatever it has started', async () => {
    await using scene = await setUp({ sandbox })
    const abort = new AbortController()
    const seconds = oddSeconds()
    const command =
      `trap "" TERM; for i in 1 2 3 4 5 6 7 8; do sleep ${seconds} & done; ` +
      `setsid sleep ${seconds} & (sleep ${seconds} &) ; touch started; wait`
    const running = scene.run({ command }, abort.signal)
    await waitFor(async () => (await findRunning(`sleep\0${seconds}`)).length === 10, {
      timeoutMs: 30_000,
    })
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(await findRunning(`sleep\0${seconds}`)).toEqual([])
  }, 60_000)

  test('that ends by itself takes along what it left in the background', async () => {
    await using scene = await setUp({ sandbox })
    const seconds = oddSeconds()
    const { text } = await scene.run(`sleep ${seconds} & echo done`)
    expect(text).toContain('done')
    expect(await findRunning(`sleep\0${seconds}`)).toEqual([])
  }, 60_000)

  test('keeps the beginning and the end of a long output', async () => {
    await using scene = await setUp({ sandbox })
    const { text, output_bytes } = await scene.run('echo first; seq 1 100000; echo last')
    expect(text).toMatch(/^first\n1\n2\n/)
    expect(text).toMatch(/99999\n100000\nlast\n\[exit code 0/)
    expect(text).toContain('bytes left out')
    expect(output_bytes).toBe(588_906)
    expect(text.length).toBeLessThan(33_000)
  })

  test('that writes without end is stopped', async () => {
    await using scene = await setUp({ sandbox })
    const result = await scene.run({ command: 'yes', timeout_seconds: 60 })
    expect(result).toMatchObject({ stopped: 'output' })
  }, 90_000)

  test('has no input', async () => {
    await using scene = await setUp({ sandbox })
    expect((await scene.run({ command: 'cat; echo end', timeout_seconds: 30 })).text).toMatch(
      /^end/,
    )
  })
})

describe.runIf(modes.includes('required'))('in a sandbox a command', () => {
  const sandbox: SandboxOptions = { mode: 'required' }

  test('sees and writes nothing but the folder', async () => {
    await using scene = await setUp({ sandbox })
    await writeFile(join(scene.outside, 'secret'), 'secret text')
    await symlink(join(scene.outside), join(scene.folder, 'out'))
    const { text } = await scene.run('cat ../secret out/secret; echo x > ../y; ls /root /home')
    expect(text).not.toContain('secret text')
    expect(await readdir(scene.outside)).toEqual(['ada', 'secret'])
  })

  test('is not led out by a link as its folder', async () => {
    await using scene = await setUp({ sandbox })
    await mkdir(join(scene.outside, 'private'))
    await writeFile(join(scene.outside, 'private', 'secret'), 'secret text')
    await symlink(join(scene.outside, 'private'), join(scene.folder, 'link'))
    const { text } = await scene.run({ command: 'cat secret', cwd: 'link' })
    expect(text).not.toContain('secret text')
  })

  test('has no network', async () => {
    await using scene = await setUp({ sandbox })
    const { text } = await scene.run('cat /proc/net/dev')
    expect(text).toContain('lo:')
    expect(text).not.toMatch(/eth|ens|enp|wlan/)
  })

  test('has the memory that it may have', async () => {
    const limits = { memoryBytes: 64 * 1024 * 1024 }
    await using scene = await setUp({ sandbox: { ...sandbox, limits } })
    const { exit_code } = await scene.run('head -c 300000000 /dev/zero | sort > /dev/null')
    expect(exit_code).not.toBe(0)
  })
})

// The kernel lets root have as many processes as it likes: there is nothing to show then.
if (modes.includes('required') && process.getuid?.() !== 0) {
  test('a command that multiplies is bounded in a sandbox', async () => {
    const sandbox: SandboxOptions = { mode: 'required', limits: { processes: 20 } }
    await using scene = await setUp({ sandbox })
    const { text } = await scene.run('for i in $(seq 100); do sleep 1000 & done; echo all')
    expect(text).not.toContain('all')
  })
}

test('in mode preferred it says whether there was a sandbox', async () => {
  await using scene = await setUp({ sandbox: { mode: 'preferred' } })
  const { text, sandboxed } = await scene.run('echo hi')
  expect(text.includes('unsandboxed')).toBe(sandboxed === false)
})

test.each(['/etc', '..', 'a/../../b', 'a\0'])('the folder %j is refused', async (cwd) => {
  await using scene = await setUp()
  await expect(scene.run({ command: 'pwd', cwd })).rejects.toMatchObject({ code: 'path_denied' })
})

test.each([
  { command: '' },
  { command: 'x'.repeat(20_001) },
  { command: 'ls', timeout_seconds: 601 },
  { command: 'ls', timeout_seconds: 0 },
])('arguments that do not fit are refused (%#)', async (args) => {
  await using scene = await setUp()
  await expect(scene.run(args)).rejects.toMatchObject({ code: 'invalid_arguments' })
})

test('a command with a NUL cannot be started, and nothing is', async () => {
  await using scene = await setUp()
  await expect(scene.run('echo a\0b')).rejects.toMatchObject({ code: 'process_failed' })
})

test('a run that was cancelled before starts nothing', async () => {
  await using scene = await setUp()
  await expect(scene.run('touch x', AbortSignal.abort())).rejects.toMatchObject({
    code: 'cancelled',
  })
  expect(await readdir(scene.folder)).toEqual([])
})
