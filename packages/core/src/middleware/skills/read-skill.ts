import { openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { FoundSkill } from './skill-shelf.ts'

const fileBytes = 256 * 1024
const filesMax = 100

/** What the model reads of a skill: what to do, the tools it names and the files beside it. */
export async function readSkillBody(skill: FoundSkill): Promise<string> {
  await using workspace = await openWorkspace({ root: skill.root })
  const files = await listFiles(workspace, skill.folder)
  return [
    `# Skill ${skill.name}`,
    skill.body,
    skill.tools.length > 0 &&
      `Tools it names (those you have may be used): ${skill.tools.join(', ')}`,
    files.length > 0 && `Its other files, for read_skill with "file":\n${files.join('\n')}`,
  ]
    .filter((part) => part !== false && part !== '')
    .join('\n\n')
}

/** A text file of a skill. Throws `path_denied` for what is not in its folder. */
export async function readSkillFile(skill: FoundSkill, file: string): Promise<string> {
  if (file.split(/[\\/]/).includes('..')) {
    throw new AppError(
      'path_denied',
      `The file ${JSON.stringify(file)} is not in the skill's folder.`,
    )
  }
  await using workspace = await openWorkspace({ root: skill.root })
  const { bytes } = await workspace.read(inFolder(skill.folder, file), { maxBytes: fileBytes })
  if (!bytes.includes(0)) return bytes.toString('utf8')
  throw new AppError('invalid_request', `The file ${JSON.stringify(file)} is not text.`)
}

/** An absolute path stays one, and is refused as such. */
function inFolder(folder: string, file: string): string {
  return file.startsWith('/') ? file : `${folder}/${file}`
}

async function listFiles(workspace: Workspace, folder: string): Promise<string[]> {
  const options = { recursive: true, maxEntries: filesMax, maxDepth: 5 }
  const { entries } = await workspace.list(folder, options)
  return entries
    .filter(({ kind, path }) => kind === 'file' && path !== 'SKILL.md')
    .map(({ path }) => `- ${path}`)
}
