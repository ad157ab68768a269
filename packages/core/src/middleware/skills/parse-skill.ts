import { AppError } from '@dataagent/schema'
import { type FrontMatterValue, parseFrontMatter } from './front-matter.ts'

/** A skill as its SKILL.md tells of it. */
export interface Skill {
  name: string
  description: string
  /** What the agent is to do; read when the skill is used. */
  body: string
  /** Tools that it names: a hint for the model, which grants and approves nothing. */
  tools: readonly string[]
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const nameMax = 64
const descriptionMax = 1024
const toolsMax = 50

/**
 * Reads a SKILL.md (the format of agentskills.io). `name` and `description` are needed;
 * `allowed-tools` or `tools` are read as a list or as words; `license`, `compatibility`, `metadata`
 * and all else is let be. Throws `invalid_request` with the reason.
 */
export function parseSkill(text: string): Skill {
  const { fields, body } = parseFrontMatter(text)
  return {
    name: toName(fields.name),
    description: toDescription(fields.description),
    body,
    tools: toTools(fields['allowed-tools'] ?? fields.tools),
  }
}

function toName(value: FrontMatterValue | undefined): string {
  if (typeof value === 'string' && namePattern.test(value) && value.length <= nameMax) return value
  throw invalid('its name must have 1 to 64 small letters, digits and single dashes between them')
}

function toDescription(value: FrontMatterValue | undefined): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''
  if (text !== '' && text.length <= descriptionMax) return text
  throw invalid('its description must have 1 to 1,024 characters')
}

/** Words are apart by spaces or commas; brackets, as in `Bash(git:*)`, hold one together. */
function toTools(value: FrontMatterValue | undefined): string[] {
  if (typeof value === 'string') {
    const words = value.matchAll(/[^\s,(]+(?:\([^)]*\))?/g)
    return [...words.take(toolsMax).map(([word]) => word)]
  }
  return Array.isArray(value) ? value.slice(0, toolsMax) : []
}

function invalid(why: string): AppError {
  return new AppError('invalid_request', why)
}
