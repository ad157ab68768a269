import type { Transcripts } from '../contract.ts'
import { openLines } from './lines.ts'

/** Transcripts as JSON lines, after those of the run before it was interrupted. */
export async function openTranscripts(file: string): Promise<Transcripts & AsyncDisposable> {
  const lines = await openLines(file)
  return { add: lines.add, [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose]() }
}
