import { AppError } from '@dataagent/schema'
import type { AgentConfig } from './contract.ts'

const toolModes = ['auto', 'intent', 'always', 'search']
const rejectRules = ['end', 'tell']

/** Throws `config_invalid` that names the field at fault. */
export function checkConfig(config: AgentConfig): void {
  const { assistant_id, max_turns, tool_mode, on_reject, tool_budget_tokens } = config
  if (typeof assistant_id !== 'string' || assistant_id === '') refuse('assistant_id', 'a name')
  if (max_turns !== undefined && !isCount(max_turns, 1)) refuse('max_turns', 'a number from 1')
  if (tool_budget_tokens !== undefined && !isCount(tool_budget_tokens, 0)) {
    refuse('tool_budget_tokens', 'a number from 0')
  }
  if (tool_mode !== undefined && !toolModes.includes(tool_mode)) {
    refuse('tool_mode', toolModes.join(', '))
  }
  if (on_reject !== undefined && !rejectRules.includes(on_reject)) {
    refuse('on_reject', rejectRules.join(' or '))
  }
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least
}

function refuse(field: string, expected: string): never {
  throw new AppError('config_invalid', `The agent's ${field} must be ${expected}.`)
}
