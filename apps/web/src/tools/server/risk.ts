import type { ToolAnnotations } from '@dataagent/schema'
import type { Tone } from '../../ui/badge.tsx'

export type Risk = 'read' | 'write' | 'destructive' | 'unknown'

/** What a tool may do, as its server claims. By the standard one that says nothing may destroy. */
export function toRisk(annotations: ToolAnnotations | undefined): Risk {
  const { readOnlyHint, destructiveHint } = annotations ?? {}
  if (readOnlyHint === true) return 'read'
  if (destructiveHint === true) return 'destructive'
  return destructiveHint === false ? 'write' : 'unknown'
}

export const riskTones: Record<Risk, Tone> = {
  read: 'good',
  write: 'info',
  destructive: 'bad',
  unknown: 'wait',
}
