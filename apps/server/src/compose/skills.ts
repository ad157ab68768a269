import { join } from 'node:path'
import { type AgentFactoryOptions, loadSkillTools } from '@dataagent/core'
import type { Config } from '../config/index.ts'
import type { Logger } from '../log/index.ts'

/** The operator's skills, for the agents of all tenants, and the tools that they bring along. */
export async function openSkills(
  { data_dir }: Pick<Config, 'data_dir'>,
  log: Logger,
): Promise<Pick<AgentFactoryOptions, 'skillRoots' | 'skillTools'>> {
  const skillRoots = [join(data_dir, 'skills')]
  const skillTools = await loadSkillTools({
    roots: skillRoots,
    onInvalid: ({ path, reason }) => log.warn({ path, reason }, 'a skill cannot be used'),
  })
  return { skillRoots, skillTools }
}
