import { toModelError } from '../models/index.ts'

/**
 * What a graph has failed with, as the error of a run: the code of what went wrong within, as a
 * hook's error is wrapped once for each middleware around it.
 */
export function toRunError(error: unknown): unknown {
  return toModelError(error) ?? error
}
