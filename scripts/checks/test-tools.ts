import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The root of this repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Ran {
  code: number
  output: string
}

/** Runs a tool of `node_modules/.bin`, or a script of ours with `node`, and never throws. */
export async function runTool(tool: string, args: string[], cwd: string): Promise<Ran> {
  const file = tool === 'node' ? process.execPath : `${repository}/node_modules/.bin/${tool}`
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { cwd })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}
