import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program without our export condition; its output, or an error that holds it. */
export async function run(command: string, args: string[], cwd: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env })
    return stdout
  } catch (error) {
    const { stdout, stderr } = Object(error)
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}
