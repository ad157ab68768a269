import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SandboxOptions } from './sandbox.ts'
import { startProcess } from './start-process.ts'
import { findByCommand, readAll } from './test-processes.ts'
import { testedModes } from './test-sandbox-modes.ts'

const canBeTested = (await testedModes()).includes('required')
const env = { PATH: '/usr/bin:/bin' }

/**
 * What a process tries to reach; it answers, in the same shape, with contents or the code of the
 * error.
 */
interface Attempts {
  read?: string[]
  write?: string[]
  connect?: number
  /** A folder in which to open every file for writing, without writing. */
  openAll?: string
}

interface Answers {
  read: Record<string, string>
  write: Record<string, string>
  connect: string
  opened: string[]
  /** Everything it can find in /proc about any process. */
  processes: { pid: string; environ: string; cmdline: string }[]
}

const prober = `
const fs = require('node:fs')
const attempts = JSON.parse(process.argv[1])
const tried = (run) => { try { return String(run()) } catch (error) { return error.code } }
const each = (paths = [], run) =>
  Object.fromEntries(paths.map((path) => [path, tried(() => run(path))]))
const isFolder = (path) => fs.statSync(path).isDirectory()
const read = (path) => isFolder(path) ? fs.readdirSync(path) : fs.readFileSync(path, 'latin1')
const opens = (path) => tried(() => fs.closeSync(fs.openSync(path, 'r+'))) === 'undefined'
const files = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = folder + '/' + entry.name
  if (/^.proc.([0-9]+|self|thread-self)$/.test(path)) return []
  return entry.isDirectory() ? files(path) : [path]
})
const answers = {
  opened: attempts.openAll ? files(attempts.openAll).filter(opens) : [],
  read: each(attempts.read, read),
  write: each(attempts.write, (path) => { fs.writeFileSync(path, 'written'); return 'ok' }),
  processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => ({
    pid, environ: tried(() => read('/proc/' + pid + '/environ')), cmdline: tried(() => read('/proc/' + pid + '/cmdline')),
  })),
}
const finish = (connect) => console.log(JSON.stringify({ ...answers, connect }))
if (!attempts.connect) finish('not tried')
else require('node:net').connect(attempts.connect, '127.0.0.1').on('connect', () => { finish('ok'); process.exit() }).on('error', (error) => finish(error.code))
`

async function probe(
  attempts: Attempts,
  options: Partial<SandboxOptions> & { env?: Record<string, string>; cwd?: string } = {},
): Promise<Answers> {
  const { env: own = env, cwd, ...sandbox } = options
  await using child = await startProcess({
    command: process.execPath,
    args: ['-e', prober, JSON.stringify(attempts)],
    env: own,
    ...(cwd === undefined ? {} : { cwd }),
    sandbox: { mode: 'required', ...sandbox },
  })
  const text = await readAll(child.stdout)
  expect(text, child.stderrTail()).not.toBe('')
  return JSON.parse(text)
}

async function runInside(script: string, sandbox: Partial<SandboxOptions> = {}): Promise<string> {
  await using child = await startProcess({
    command: 'sh',
    args: ['-c', `exec 2>&1; ${script}`],
    env,
    sandbox: { mode: 'required', ...sandbox },
  })
  return (await readAll(child.stdout)).trim()
}

describe.runIf(canBeTested)('a sandboxed process', () => {
  test('reads nothing of the host: no secret file, no other folder, no environment, no process [T2]', async () => {
    await using directory = await temporaryDirectory()
    const canary = join(directory.path, 'canary')
    await writeFile(canary, 'sk-canary-file')
    vi.stubEnv('HOST_CANARY', 'sk-canary-env')
    const hostEnviron = `/proc/${process.pid}/environ`
    const secret = ['/etc/shadow', '/etc/ssl/private', '/root', '/home', '/var', '/sys', '/run']
    const answers = await probe({ read: [canary, hostEnviron, ...secret] })
    expect(new Set(Object.values(answers.read))).toEqual(new Set(['ENOENT']))
    expect(JSON.stringify(answers)).not.toContain('sk-canary')
    expect(answers.processes.length).toBeLessThan(5)
    const commands = answers.processes.map(({ cmdline }) => cmdline.split('\0')[0])
    expect(new Set(commands)).toEqual(new Set(['/usr/bin/bwrap', process.execPath]))
  })

  test('reaches a listener of the host only when it may use the network [T2]', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect((await probe({ connect: port })).connect).toBe('ECONNREFUSED')
    expect(connections).toBe(0)
    expect((await probe({ connect: port }, { network: true })).connect).toBe('ok')
    await waitFor(() => connections === 1)
  })

  test('sees declared paths, writes only those declared for writing, and changes nothing else', async () => {
    await using directory = await temporaryDirectory()
    const [open, closed, work] = ['open', 'closed', 'work'].map((name) =>
      join(directory.path, name),
    )
    for (const folder of [open, closed, work]) {
      await mkdir(folder as string)
      await writeFile(join(folder as string, 'file'), 'content')
    }
    const files = [open, closed, work].map((folder) => join(folder as string, 'file'))
    const others = ['/canary', '/usr/canary', '/etc/passwd']
    const answers = await probe(
      { read: files, write: [...files, ...others] },
      { read: [open as string], write: [work as string], cwd: open as string },
    )
    expect(Object.values(answers.read)).toEqual(['content', 'ENOENT', 'content'])
    expect(Object.values(answers.write).slice(0, 3)).toEqual(['EROFS', 'ENOENT', 'ok'])
    expect(Object.values(answers.write).slice(3)).not.toContain('ok')
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual([
      'content',
      'content',
      'written',
    ])
  })

  describe('that sees the files of the host', () => {
    const files = 'host'

    test('reads them, but not what is hidden, and writes what is declared alone', async () => {
      await using directory = await temporaryDirectory()
      const [seen, hidden, work] = ['seen', 'hidden', 'work'].map((name) =>
        join(directory.path, name),
      ) as [string, string, string]
      for (const folder of [seen, hidden, work]) {
        await mkdir(folder)
        await writeFile(join(folder, 'file'), 'content')
      }
      const secret = join(seen, 'secret')
      await writeFile(secret, 'sk-canary')
      const paths = [seen, hidden, work].map((folder) => join(folder, 'file'))
      const answers = await probe(
        {
          read: [...paths, secret, '/etc/hostname', fileURLToPath(import.meta.url)],
          write: [...paths, '/usr/canary', '/etc/hostname', fileURLToPath(import.meta.url)],
        },
        {
          files,
          hide: [hidden, hidden, join(hidden, 'file'), secret, '/no/such'],
          read: [directory.path],
          write: [work],
        },
      )
      const [open, closed, own, secretly, ...others] = Object.values(answers.read)
      expect([open, closed, own, secretly]).toEqual(['content', 'ENOENT', 'content', 'EACCES'])
      expect(others.join()).toContain('sees the files of the host')
      expect(Object.values(answers.write).filter((text) => text === 'ok')).toHaveLength(1)
      expect(await readFile(paths[2]!, 'utf8')).toBe('written')
    })

    test('sees no process of the host, and none of its temporary files', async () => {
      await using directory = await temporaryDirectory()
      vi.stubEnv('HOST_CANARY', 'sk-canary-env')
      const read = [`/proc/${process.pid}/environ`, directory.path]
      const answers = await probe({ read }, { files })
      expect(Object.values(answers.read)).toEqual(['ENOENT', 'ENOENT'])
      expect(JSON.stringify(answers)).not.toContain('sk-canary')
      expect(answers.processes.length).toBeLessThan(5)
    })

    test('begins in the folder of the host, and in one that is hidden finds nothing', async () => {
      await using directory = await temporaryDirectory()
      await writeFile(join(directory.path, 'secret'), 'sk-canary')
      const cwd = directory.path
      expect(await runInside('pwd', { files })).toBe(process.cwd())
      await using child = await startProcess({
        ...{ command: 'sh', args: ['-c', 'pwd; ls'], env, cwd },
        sandbox: { mode: 'required', files, hide: [cwd] },
      })
      expect(await readAll(child.stdout)).toBe(`${cwd}\n`)
    })

    test('leaves nothing that has cast off its session, parent and environment', async () => {
      const mark = `600.${Math.floor(Math.random() * 1e15)}`
      const child = await startProcess({
        ...{ command: 'sh', args: ['-c', `env -i setsid -f setsid -f sleep ${mark}; cat`], env },
        sandbox: { mode: 'required', files },
      })
      await waitFor(() => findByCommand(`sleep\0${mark}`).length > 0)
      await child.stop()
      expect(findByCommand(mark)).toEqual([])
    })

    test('may write a folder that it is given by a link', async () => {
      await using directory = await temporaryDirectory()
      const [real, link] = [join(directory.path, 'real'), join(directory.path, 'link')]
      await mkdir(real)
      await symlink(real, link)
      const write = [join(real, 'file')]
      const answers = await probe({ write }, { files, write: [link] })
      expect(Object.values(answers.write)).toEqual(['ok'])
    })
  })

  test("may open none of the kernel's settings for writing", async () => {
    const answers = await probe({ openAll: '/proc' })
    expect(answers.opened).toEqual([])
  })

  test('has a home and a temporary folder of its own', async () => {
    await using home = await temporaryDirectory()
    await writeFile(join(home.path, 'canary'), 'sk-canary')
    const own = { ...env, HOME: home.path, TMPDIR: '/tmp' }
    const written = [join(home.path, 'made'), '/tmp/made']
    const answers = await probe({ read: [home.path, '/tmp'], write: written }, { env: own })
    expect(answers.read[home.path]).toBe('')
    expect(Object.values(answers.write)).toEqual(['ok', 'ok'])
    expect(readdirSync(home.path)).toEqual(['canary'])
  })

  test('is nobody, without privileges, and cannot make namespaces of its own [T2]', async () => {
    const output = await runInside(
      'id -u; grep Cap /proc/self/status; unshare -U true && echo made',
    )
    expect(output).toMatch(/^65534\n/)
    expect(output.match(/Cap\w+:\t0000000000000000/g)).toHaveLength(5)
    expect(output).not.toContain('made')
  })

  test("cannot read another's secrets, which are in no command line either [T3]", async () => {
    const secrets = ['sk-canary-one', 'sk-canary-two']
    const children = await Promise.all(
      secrets.map((SECRET) =>
        startProcess({
          command: 'sh',
          args: [
            '-c',
            'echo up; read line; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; echo $SECRET',
          ],
          env: { ...env, SECRET },
          sandbox: { mode: 'required' },
        }),
      ),
    )
    const commandLines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readCommandLine)
    expect(commandLines.join('\n')).toContain('bwrap')
    expect(commandLines.join('\n')).not.toContain('sk-canary')
    for (const child of children) child.stdin.write('go\n')
    const [one, two] = await Promise.all(children.map((child) => readAll(child.stdout)))
    expect([one?.includes('canary-one'), two?.includes('canary-two')]).toEqual([true, true])
    expect([one?.includes('canary-two'), two?.includes('canary-one')]).toEqual([false, false])
    await Promise.all(children.map((child) => child.stop()))
  })

  test('gets variables as they are, though they look like options', async () => {
    const odd = { ...env, A: '--bind', B: '/', C: 'line\nbreak "quoted" 数据', D: '' }
    await using child = await startProcess({
      command: 'sh',
      args: ['-c', 'printf %s "$A|$B|$C|$D."; ls /root'],
      env: odd,
      sandbox: { mode: 'required' },
    })
    expect(await readAll(child.stdout)).toBe('--bind|/|line\nbreak "quoted" 数据|.')
  })

  test('runs a command that is reached through a link outside the system folders', async () => {
    await using directory = await temporaryDirectory()
    const command = join(directory.path, 'interpreter')
    await symlink(process.execPath, command)
    await using child = await startProcess({
      command,
      args: ['-p', '6 * 7'],
      env,
      sandbox: { mode: 'required' },
    })
    expect(await readAll(child.stdout)).toBe('42\n')
  })

  test('keeps to its limits', async () => {
    const limits = { openFiles: 20, cpuSeconds: 5, memoryBytes: 50_000_000, fileBytes: 4096 }
    expect(await runInside('ulimit -n; ulimit -t', { limits })).toBe('20\n5')
    const large = 'head -c 10000 /dev/zero > /tmp/large; wc -c < /tmp/large'
    expect(await runInside(large, { limits })).toMatch(/4096$/)
    const hungry = 'head -c 100000000 /dev/zero | tail -c 100000000 | wc -c'
    expect(await runInside(hungry, { limits })).toMatch(/memory|^0/)
  })

  test('is given what this process may have, where more is asked for', async () => {
    const limits = { openFiles: 2 ** 40 }
    const most = await runInside('ulimit -Hn')
    expect(await runInside('ulimit -n', { limits })).toBe(most)
  })

  test.each(['/', '/proc', '/proc/1', '/sys/kernel', '/dev', 'relative', '/tmp/..', '/a\0b'])(
    'is not given the path %j',
    async (path) => {
      const sandbox = { mode: 'required', read: [path] } as const
      const failure = startProcess({ command: 'true', env, sandbox })
      await expect(failure).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )

  test('a declared path that is missing is named', async () => {
    const sandbox = { mode: 'required', write: ['/no/such/folder'] } as const
    await expect(startProcess({ command: 'true', env, sandbox })).rejects.toThrow(
      /"\/no\/such\/folder"/,
    )
  })
})

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
