import { createHash } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562 §5.7) whose random part stands for `names`: a trial that is told
 * twice is the same run.
 */
export function toRunId(startedAt: number, ...names: (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16)
  bytes.writeUIntBE(startedAt, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

/** The place of a run in its trace: times of start and ids from the root on, as LangSmith sorts. */
export function toDottedOrder(startedAt: number, runId: string, parent?: string): string {
  const time = new Date(startedAt).toISOString().replaceAll(/[-:.]/g, '').slice(0, -1)
  const own = `${time}000Z${runId}`
  return parent === undefined ? own : `${parent}.${own}`
}
