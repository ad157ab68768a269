import { getEventListeners, once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test, vi } from 'vitest'
import { type ProcessOptions, startProcess } from './start-process.ts'
import { countZombies, findMarked, isAlive, listDescriptors, readAll } from './test-processes.ts'
import { testedModes } from './test-sandbox-modes.ts'

const path = '/usr/bin:/bin'
const env = { PATH: path }
const ignoresTerm = 'trap "" TERM; echo up; while :; do sleep 0.1; done'

describe.each(await testedModes())('a process, sandbox %s', (mode) => {
  const sandbox = { mode }

  function runShell(script: string, options: Partial<ProcessOptions> = {}) {
    return startProcess({ command: 'sh', args: ['-c', script], env, sandbox, ...options })
  }

  test('has its three streams and ends with its code', async () => {
    await using child = await runShell('cat; echo done; echo noted >&2; exit 7')
    child.stdin.end('given ')
    expect(await readAll(child.stdout)).toBe('given done\n')
    expect(await child.exited).toEqual({ code: 7, signal: null })
    await waitFor(() => child.stderrTail() === 'noted\n')
    expect(child.sandboxed).toBe(mode === 'required')
  })

  test('gets its arguments as they are, never through a shell', async () => {
    const args = ['%s|', '$(id)', '; id', '`id`', 'a b', '*', '--', '-x']
    await using child = await startProcess({ command: 'printf', args, env, sandbox })
    expect(await readAll(child.stdout)).toBe('$(id)|; id|`id`|a b|*|--|-x|')
  })

  test('sees the declared environment and nothing of the host', async () => {
    vi.stubEnv('HOST_CANARY', 'sk-canary-host')
    await using child = await startProcess({ command: 'env', env: { ...env, A: 'b c' }, sandbox })
    const lines = (await readAll(child.stdout)).trim().split('\n')
    const names = lines.map((line) => line.split('=')[0]).filter((name) => name !== 'PWD')
    expect(names.toSorted()).toEqual(['A', 'DATAAGENT_PROCESS_TAG', 'PATH'])
    expect(lines).toContain('A=b c')
  })

  test('starts in the folder that is asked for', async () => {
    await using directory = await temporaryDirectory()
    await using child = await runShell('pwd', { cwd: directory.path })
    expect(await readAll(child.stdout)).toBe(`${directory.path}\n`)
  })

  test('its end by a signal is told as a signal', async () => {
    await using child = await runShell('kill -SEGV $$')
    expect(await child.exited).toEqual({ code: null, signal: 'SIGSEGV' })
  })

  test('its exit is seen within 50 ms though a grandchild holds its streams', async () => {
    const delays: number[] = []
    for (let i = 0; i < longCount(5, 50); i += 1) {
      await using child = await runShell('sleep 60 & read line; kill -KILL $$')
      const asked = performance.now()
      child.stdin.write('go\n')
      await child.exited
      delays.push(performance.now() - asked)
    }
    expect(Math.min(...delays)).toBeLessThan(50)
  })

  test('stdout arrives whole after the exit, for a reader that comes late', async () => {
    await using child = await runShell('head -c 60000 /dev/zero | tr "\\0" x')
    await child.exited
    await wait(50)
    expect(await readAll(child.stdout)).toBe('x'.repeat(60_000))
  })

  test('64 MiB of stdout pass whole; a reader that does not read holds the writer back', async () => {
    const size = 64 * 1024 * 1024
    await using child = await runShell(`head -c ${size} /dev/zero; echo written >&2`)
    const before = process.memoryUsage.rss()
    await wait(300)
    expect(child.stderrTail()).toBe('')
    expect(process.memoryUsage.rss() - before).toBeLessThan(16 * 1024 * 1024)
    let received = 0
    for await (const chunk of child.stdout) received += chunk.length
    expect(received).toBe(size)
  })

  test('a write to a process that has gone fails its callback and nothing else', async () => {
    await using child = await runShell('exit 0')
    await child.exited
    const error = await new Promise((resolve) => child.stdin.write('x', resolve))
    expect(error).toBeInstanceOf(Error)
  })

  test('stop lets a process end by itself when its stdin closes', async () => {
    const child = await runShell('cat > /dev/null; echo last words; exit 4')
    const output = readAll(child.stdout)
    expect(await child.stop()).toEqual({ code: 4, signal: null })
    expect(await output).toBe('last words\n')
  })

  test('stop asks by TERM before it kills', async () => {
    const child = await runShell('trap "exit 5" TERM; echo up; while :; do sleep 0.05; done')
    await once(child.stdout, 'data')
    expect(await child.stop()).toEqual({ code: 5, signal: null })
  })

  test('stop kills one that ignores TERM when the grace is over, with its group', async () => {
    const marked = { ...env, MARK: crypto.randomUUID() }
    const child = await runShell(`(${ignoresTerm}) & ${ignoresTerm}`, { env: marked })
    await once(child.stdout, 'data')
    const asked = performance.now()
    const [first, second] = [child.stop({ graceMs: 800 }), child.stop()]
    expect(await first).toEqual({ code: null, signal: 'SIGKILL' })
    const took = performance.now() - asked
    expect(await second).toEqual(await first)
    expect(took).toBeGreaterThan(790)
    expect(took).toBeLessThan(4000)
    await waitFor(() => findMarked(marked.MARK).length === 0)
  })

  test('kill does not wait, not even for a stop under way', async () => {
    const child = await runShell(ignoresTerm)
    await once(child.stdout, 'data')
    const asked = performance.now()
    const stopped = child.stop({ graceMs: 60_000 })
    await child.kill()
    expect(await stopped).toEqual({ code: null, signal: 'SIGKILL' })
    expect(performance.now() - asked).toBeLessThan(4000)
  })

  test.each(['setsid sleep 600 &', 'setsid -f sleep 600;', 'sleep 600 &'])(
    'nothing that "%s" started is left, by stop or by its own exit',
    async (script) => {
      const marked = { ...env, MARK: crypto.randomUUID() }
      const left = await runShell(`${script} echo up; cat`, { env: marked })
      await once(left.stdout, 'data')
      await left.stop()
      // What was killed is gone once the kernel has got to it.
      await waitFor(() => findMarked(marked.MARK).length === 0)
      const crashed = await runShell(`${script} echo up; exit 1`, { env: marked })
      await crashed.exited
      await waitFor(() => findMarked(marked.MARK).length === 0)
      await crashed.stop()
    },
  )

  test('what it wrote to stderr last is there when it has been stopped', async () => {
    for (let i = 0; i < longCount(20, 300); i += 1) {
      const child = await runShell('head -c 50000 /dev/zero >&2; echo the reason >&2; exit 1')
      await child.exited
      await child.stop()
      expect(child.stderrTail()).toMatch(/the reason\n$/)
    }
  })

  test('killed from outside it leaves nothing, even while it is starting', {
    timeout: 120_000,
  }, async () => {
    const marked = { ...env, MARK: crypto.randomUUID() }
    for (let i = 0; i < longCount(10, 300); i += 1) {
      const child = await runShell('setsid sleep 600 & sleep 600', { env: marked })
      await wait(Math.random() * 10)
      process.kill(child.pid, 'SIGKILL')
      expect(await child.stop()).toEqual({ code: null, signal: 'SIGKILL' })
    }
    await waitFor(() => findMarked(marked.MARK).length === 0)
  })

  test('128 MB of stderr cost no memory, keep the end, and do not delay the stop', async () => {
    let lines = 0
    const flood = (megabytes: number) =>
      runShell(
        `yes "a line of noise" | head -c ${megabytes}000000 >&2; echo the end >&2; echo done; cat; sleep 60`,
        { onStderr: () => (lines += 1) },
      )
    const warmUp = await flood(16)
    await once(warmUp.stdout, 'data')
    await warmUp.kill()
    const before = process.memoryUsage.rss()
    const child = await flood(128)
    let peak = before
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 5)
    await once(child.stdout, 'data')
    clearInterval(sampling)
    await waitFor(() => child.stderrTail().endsWith('the end\n'))
    // About 1 MB alone; the test runner's own work is in the figure too. Read naively it is over 50
    // MB.
    expect(peak - before).toBeLessThan(24 * 1024 * 1024)
    expect(child.stderrTail()).toHaveLength(64 * 1024)
    expect(lines).toBeLessThan(2000)
    const asked = performance.now()
    await child.stop()
    expect(performance.now() - asked).toBeLessThan(4000)
  })

  test('a stop in the middle of a flood of stderr does not wait out its grace', async () => {
    const child = await runShell('echo up; exec yes noise >&2')
    await once(child.stdout, 'data')
    const asked = performance.now()
    await child.stop()
    expect(performance.now() - asked).toBeLessThan(4000)
  })

  test('aborting stops it and leaves no listener on the signal', async () => {
    const aborter = new AbortController()
    const child = await runShell('cat', { signal: aborter.signal })
    aborter.abort()
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(getEventListeners(aborter.signal, 'abort')).toEqual([])
    await child.stop()
  })

  test('many starts and stops leave no descriptor, zombie, listener or process', {
    timeout: 300_000,
  }, async () => {
    const aborter = new AbortController()
    const marked = { ...env, MARK: crypto.randomUUID() }
    const cycle = async () => {
      const child = await runShell('read line; exit 0', { env: marked, signal: aborter.signal })
      await child.stop()
    }
    await cycle()
    const before = listDescriptors()
    for (let i = 0; i < longCount(200, 1000); i += 10)
      await Promise.all(Array.from({ length: 10 }, cycle))
    await waitFor(() => listDescriptors().length <= before.length)
    expect(countZombies()).toBe(0)
    expect(findMarked(marked.MARK)).toEqual([])
    expect(getEventListeners(aborter.signal, 'abort')).toEqual([])
  })
})

// Around a sandbox, bubblewrap itself holds stdin open until the end.
test('a write into a closed stdin (EPIPE) does no harm to a process outside a sandbox', async () => {
  const script = 'exec 0<&-; echo closed; sleep 60'
  await using child = await startProcess({ command: 'sh', args: ['-c', script], env })
  await once(child.stdout, 'data')
  const error = await new Promise((resolve) => child.stdin.write('x'.repeat(1e6), resolve))
  expect(error).toMatchObject({ code: 'EPIPE' })
  expect(isAlive(child.pid)).toBe(true)
})

describe('what cannot be started', () => {
  const touch = (file: string) => ({ command: 'touch', args: [file], env })

  test('an unknown command is named, with what to do and without its variables', async () => {
    const options = { command: 'no-such-tool', env: { ...env, TOKEN: 'sk-canary' } }
    const failure = await startProcess(options).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'process_failed', data: { command: 'no-such-tool' } })
    expect(String(failure)).toMatch(/"no-such-tool" was not found.*Install it/)
    expect(JSON.stringify(failure)).not.toContain('canary')
  })

  test.each([
    [{ command: 'true', args: ['a\0b'] }, /argument holds a NUL/],
    [{ command: 'true', args: ['x'.repeat(4_000_000)] }, /too long/],
    [{ command: 'true', cwd: '/no/such/folder' }, /folder "\/no\/such\/folder"/],
  ])('%# is a typed error that says why', async (options, message) => {
    const failure = await startProcess({ env, ...options }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'process_failed' })
    expect(String(failure)).toMatch(message)
  })

  test('a script whose interpreter is missing is a typed error', async () => {
    await using directory = await temporaryDirectory()
    const command = join(directory.path, 'script')
    await writeFile(command, '#!/no/such/interpreter\n')
    await chmod(command, 0o755)
    await expect(startProcess({ command, env })).rejects.toThrow(/interpreter.*is not here/)
  })

  test('with a signal aborted before, or while it is being prepared, nothing is started', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'canary')
    const early = startProcess({ ...touch(file), signal: AbortSignal.abort() })
    await expect(early).rejects.toMatchObject({ code: 'cancelled' })
    const aborter = new AbortController()
    const late = startProcess({ ...touch(file), signal: aborter.signal })
    aborter.abort()
    await expect(late).rejects.toMatchObject({ code: 'cancelled' })
    await using child = await startProcess(touch(`${file}-2`))
    await child.exited
    expect([existsSync(file), existsSync(`${file}-2`)]).toEqual([false, true])
  })

  test('a required sandbox without bubblewrap starts nothing and says what to install', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'canary')
    const sandbox = { mode: 'required', bubblewrap: '/no/such/bwrap' } as const
    const failure = startProcess({ ...touch(file), sandbox })
    await expect(failure).rejects.toThrow(/apt install bubblewrap/)
    expect(existsSync(file)).toBe(false)
  })

  test('a bubblewrap that may not make namespaces is told apart from a missing one', async () => {
    await using directory = await temporaryDirectory()
    const bubblewrap = join(directory.path, 'bwrap')
    await writeFile(bubblewrap, '#!/bin/sh\necho "No permissions" >&2\nexit 1\n')
    await chmod(bubblewrap, 0o755)
    const options = { command: 'true', env }
    const required = startProcess({ ...options, sandbox: { mode: 'required', bubblewrap } })
    await expect(required).rejects.toThrow(/cannot make one here: No permissions/)
    await using child = await startProcess({
      ...options,
      sandbox: { mode: 'preferred', bubblewrap },
    })
    expect(child.sandboxed).toBe(false)
  })

  test('a preferred sandbox without bubblewrap runs unsandboxed, and its handle says so', async () => {
    const sandbox = { mode: 'preferred', bubblewrap: '/no/such/bwrap' } as const
    await using child = await startProcess({ command: 'true', env, sandbox })
    expect(child.sandboxed).toBe(false)
    expect(await child.exited).toEqual({ code: 0, signal: null })
  })
})
