import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openWorkspace, systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import { z } from 'zod'
import { createSkillShelf, type FoundSkill, type InvalidSkill } from './skill-shelf.ts'

/** What a skill's module is given, so that it needs no packages of its own. */
export interface SkillToolKit {
  defineTool: typeof defineTool
  z: typeof z
}

export interface SkillToolsOptions {
  /**
   * Folders of skills, absolute. Their modules run with the rights of this process: give only those
   * that nobody but its operator can write.
   */
  roots: readonly string[]
  /** Told of each skill whose tools cannot be used; the others are loaded. Must not throw. */
  onInvalid?: ((skill: InvalidSkill) => void) | undefined
}

const fileNames = ['tools.js', 'tools.mjs', 'tools.ts']

/**
 * The tools of skills [D7.3]: what the function gives that `tools.js` (or .mjs, .ts) beside a
 * SKILL.md exports as its default. Their names begin with that of the skill. Loaded once: a changed
 * module needs a new start.
 */
export async function loadSkillTools(options: SkillToolsOptions): Promise<OwnTool[]> {
  const { roots, onInvalid = () => {} } = options
  const skills = await createSkillShelf({ clock: systemClock, onInvalid }).load(roots)
  const tools = new Map<string, OwnTool>()
  for (const skill of skills) {
    try {
      for (const tool of await toolsOf(skill)) {
        if (tools.has(tool.name)) throw invalid(`another tool is named ${tool.name}`)
        tools.set(tool.name, tool)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onInvalid({ path: join(skill.root, skill.folder), reason })
    }
  }
  return [...tools.values()]
}

async function toolsOf(skill: FoundSkill): Promise<OwnTool[]> {
  const file = await fileOf(skill)
  if (file === undefined) return []
  const module: { default?: unknown } = await import(pathToFileURL(file).href)
  if (typeof module.default !== 'function') {
    throw invalid('its tools are no function: export default ({ defineTool, z }) => [ … ]')
  }
  const kit: SkillToolKit = { defineTool, z }
  const given: unknown[] = [await module.default(kit)].flat()
  return given.map((tool) => checkTool(tool, skill))
}

/** Throws `path_denied` for a link, which might lead to where others write. */
async function fileOf({ root, folder }: FoundSkill): Promise<string | undefined> {
  await using workspace = await openWorkspace({ root })
  for (const name of fileNames) {
    const info = await workspace.stat(`${folder}/${name}`).catch((error) => {
      if (isAppError(error, 'not_found')) return undefined
      throw error
    })
    if (info?.kind === 'file') return join(root, folder, name)
    if (info) throw new AppError('path_denied', `its ${name} is no plain file`)
  }
  return undefined
}

function checkTool(tool: unknown, { name }: FoundSkill): OwnTool {
  const made = tool as OwnTool | null | undefined
  if (typeof made?.run !== 'function' || made.inputSchema === undefined) {
    throw invalid('it gives something that defineTool has not made')
  }
  const start = `${name.replaceAll('-', '_')}_`
  if (made.name.startsWith(start)) return made
  throw invalid(`the name of its tool ${made.name} must begin with ${start}`)
}

function invalid(why: string): AppError {
  return new AppError('invalid_request', why)
}
