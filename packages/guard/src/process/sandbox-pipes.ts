import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { sandboxFds } from './plan-launch.ts'
import { sandboxPasswd } from './sandbox.ts'

/** Hands a starting sandbox its view, and learns which group in it does the work. */
export function openSandbox(
  child: ChildProcess,
  view: readonly string[],
): { innerGroup(): number | undefined } {
  const streams: readonly unknown[] = child.stdio
  const input = streams[sandboxFds.view] as Writable
  const info = streams[sandboxFds.info] as Readable
  const passwd = streams[sandboxFds.passwd] as Writable
  let report = ''
  let group: number | undefined

  for (const pipe of [input, info, passwd]) pipe.on('error', () => {})
  input.end(view.map((option) => `${option}\0`).join(''))
  passwd.end(sandboxPasswd)
  info.setEncoding('utf8')
  info.on('data', (text: string) => {
    report += text
    group ??= Number(/"child-pid":\s*(\d+)\D/.exec(report)?.[1] ?? Number.NaN) || undefined
  })
  return { innerGroup: () => group }
}
