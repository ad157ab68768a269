import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { inspectorProgram, temporaryDirectory, waitFor } from '@dataagent/testkit'

const inspector = 'npx -y @modelcontextprotocol/inspector '
const dataagent = fileURLToPath(new URL('../../../../../scripts/dataagent.mjs', import.meta.url))

/** Runs a command for the Inspector as the page gives it, with the one that is installed here. */
export async function runInspector(command: string): Promise<string> {
  if (!command.startsWith(inspector)) throw new Error(`no command for the Inspector: ${command}`)
  await using home = await temporaryDirectory()
  const all = `'${process.execPath}' '${inspectorProgram()}' ${command.slice(inspector.length)}`
  const env = { PATH: process.env.PATH, HOME: home.path }
  const { stdout } = await promisify(execFile)('sh', ['-c', all], { env, timeout: 30_000 })
  return stdout
}

export interface AgentTerminal extends AsyncDisposable {
  /** Waits until it has written this. */
  see(text: string): Promise<unknown>
  write(text: string): void
  /** All that it has written, without colours and moves of the cursor. */
  text(): string
  /** Its exit code. */
  ended: Promise<number | null>
}

/** `dataagent` on a terminal, beside a platform that runs. */
export async function openAgentTerminal(
  args: readonly string[],
  env: Record<string, string>,
): Promise<AgentTerminal> {
  const home = await temporaryDirectory()
  const command = [process.execPath, dataagent, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qfec', `stty cols 100 rows 40; ${command}`, '/dev/null'], {
    ...{ cwd: home.path, stdio: ['pipe', 'pipe', 'ignore'] },
    env: { PATH: process.env.PATH, HOME: home.path, TERM: 'xterm-256color', ...env },
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    written += data
  })
  const text = () => stripVTControlCharacters(written)
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    see: (what) => waitFor(() => text().includes(what), { timeoutMs: 20_000, what }),
    write: (typed) => void child.stdin.write(typed),
    ...{ text, ended },
    async [Symbol.asyncDispose]() {
      child.kill('SIGHUP')
      await ended
      await home[Symbol.asyncDispose]()
    },
  }
}
