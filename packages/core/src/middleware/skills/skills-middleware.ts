import { type Clock, systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool, type Principal } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import { estimateTokens } from '../../models/index.ts'
import type { AgentMiddleware } from '../contract.ts'
import { readSkillBody, readSkillFile } from './read-skill.ts'
import { createSkillShelf, type FoundSkill, type InvalidSkill } from './skill-shelf.ts'

export interface SkillsOptions {
  /**
   * Folders of skills, absolute: those of all first, the user's last, which hide those of the same
   * name. One that does not exist is passed over.
   */
  roots: readonly string[] | ((principal: Principal) => readonly string[])
  /** What the skills bring along: see `loadSkillTools`. */
  tools?: readonly OwnTool[] | undefined
  /** The most that the list adds to the system prompt. Default 2,000. */
  maxTokens?: number | undefined
  /** Told once of each skill that cannot be used, and again when it has changed. Must not throw. */
  onInvalid?: ((skill: InvalidSkill) => void) | undefined
  clock?: Clock | undefined
}

const heading = `## Skills
Each of these tells how to do one kind of work well. When a task fits one, call read_skill with \
its name before you begin, and do as it says; it allows nothing that you may not do anyway.`

/**
 * Skills [D7.3]: folders with a SKILL.md. The system prompt has the name and description of each;
 * the tool `read_skill` gives the rest. What has changed is seen within seconds.
 */
export function createSkillsMiddleware(options: SkillsOptions): AgentMiddleware {
  const { roots, tools = [], maxTokens = 2000 } = options
  const { onInvalid = () => {}, clock = systemClock } = options
  const shelf = createSkillShelf({ clock, onInvalid })
  const load = (principal: Principal) =>
    shelf.load(typeof roots === 'function' ? roots(principal) : roots)
  return {
    name: 'SkillsMiddleware',
    tools: [createReadSkill(load), ...tools],
    async systemPrompt({ principal }) {
      const skills = await load(principal)
      return skills.length === 0 ? undefined : toList(skills, maxTokens)
    },
  }
}

function toList(skills: readonly FoundSkill[], maxTokens: number): string {
  const lines: string[] = []
  let left = maxTokens - estimateTokens(heading)
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`
    left -= estimateTokens(line)
    if (left < 0) break
    lines.push(line)
  }
  const hidden = skills.slice(lines.length).map(({ name }) => name)
  if (hidden.length > 0) lines.push(`- and, by name only: ${hidden.join(', ')}`)
  return [heading, ...lines].join('\n')
}

function createReadSkill(load: (principal: Principal) => Promise<FoundSkill[]>): OwnTool {
  return defineTool({
    name: 'read_skill',
    description: 'Reads a skill: what it says to do, or one of the files beside it.',
    category: 'skills',
    input: z.object({
      name: z.string().describe('The name of the skill'),
      file: z.string().optional().describe("A path in the skill's folder"),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    idempotent: true,
    async run({ name, file }, { principal }) {
      const skills = await load(principal)
      const skill = skills.find((each) => each.name === name)
      if (!skill) throw unknownSkill(name, skills)
      return file === undefined ? readSkillBody(skill) : readSkillFile(skill, file)
    },
  })
}

function unknownSkill(name: string, skills: readonly FoundSkill[]): AppError {
  const names = skills.map((skill) => skill.name).join(', ')
  const there = names === '' ? 'There are none.' : `There are: ${names}.`
  return new AppError('not_found', `There is no skill ${JSON.stringify(name)}. ${there}`)
}
