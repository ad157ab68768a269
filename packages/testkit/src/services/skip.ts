import { AppError } from '@dataagent/schema'

/**
 * Says in one loud line that tests did not run and why. Where skipping is no option (CI is set) it
 * throws instead. The test file is read from the stack: call it before anything is awaited, by
 * `callingTestFile`.
 */
export function reportSkip(testFile: string, reason: string): void {
  const message = `NOT TESTED: ${testFile}: ${reason}`
  if (isCi()) throw new AppError('unavailable', `${message} (a skip fails when CI is set)`)
  process.stderr.write(`${message}\n`)
}

/** The test file that called us, as far as the stack tells. */
export function callingTestFile(): string {
  const found = new Error('where').stack?.match(/[^\s(]*\.test\.ts/)?.[0] ?? 'a caller'
  return found.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')
}

function isCi(): boolean {
  return !['', '0', 'false', undefined].includes(process.env.CI)
}
