import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { repository } from '../setup/paths.mjs'
import { blocksOf, withPlaces } from './page-blocks.ts'

export interface RanCommands {
  /** Of the shell. */
  code: unknown
  /** What each block has printed. */
  parts: string[]
  /** What went to standard error, with a line for each request: its status, method and address. */
  said: string
}

export interface RunOptions {
  /** What stands in place of what the page says. */
  places: Record<string, string>
  /** Where it is run. */
  cwd: string
  timeoutMs?: number
}

/** The blocks of commands of a page, but for those that start programs. */
export function commandsOf(text: string): string[] {
  return blocksOf(text, 'sh').filter((block) => !/^(npm|npx|node) /.test(block))
}

/** Tells of each request the status that it got. */
const tellingCurl = `#!/bin/sh
exec env PATH='${env.PATH}' curl -w '%{stderr}%{http_code} %{method} %{url}\\n' "$@"
`
const dataagent = `#!/bin/sh
exec '${process.execPath}' '${join(repository, 'apps/cli/bin/dataagent.mjs')}' "$@"
`

/** Puts the programs that pages call into a folder. */
export async function writePrograms(folder: string): Promise<void> {
  await writeFile(join(folder, 'curl'), tellingCurl, { mode: 0o700 })
  await writeFile(join(folder, 'dataagent'), dataagent, { mode: 0o700 })
}

/** Runs the blocks in one shell, until one fails. */
export async function runCommands(blocks: string[], options: RunOptions): Promise<RanCommands> {
  const { places, cwd, timeoutMs = 80_000 } = options
  await writePrograms(cwd)
  const script = blocks.map((block, i) => `printf '\\n=== ${i}\\n'\n${block}`).join('\n')
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', withPlaces(script, places)], {
    ...{ cwd, env: { PATH: `${cwd}:${env.PATH}`, HOME: cwd }, timeout: timeoutMs },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk) => out.push(String(chunk)))
  child.stderr.on('data', (chunk) => err.push(String(chunk)))
  const [code] = await once(child, 'close')
  const [, ...parts] = out.join('').split(/^=== \d+$/m)
  return { code, parts, said: err.join('') }
}

/** The requests that were not answered with 2xx. */
export function refusalsIn({ said }: RanCommands): string[] {
  const requests = said.match(/^\d{3} [A-Z]+ .*/gm) ?? []
  return requests.filter((line) => !line.startsWith('20'))
}
