import type { ToolGroupInfo } from '@dataagent/schema'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { exposeWords } from './expose-words.ts'
import { useRefresh } from './use-groups.ts'

/** What is done with a group at a click. */
export function useGroupActions() {
  const words = useWords(exposeWords)
  const client = useClient()
  const refresh = useRefresh()
  const toaster = useToaster()
  const toProblem = useProblem()

  async function setEnabled({ group_id, name }: ToolGroupInfo, enabled: boolean) {
    await client.toolGroups.update(group_id, { enabled })
    toaster.done(enabled ? words.nowEnabled(name) : words.nowDisabled(name))
    await refresh()
  }

  return {
    enable: (group: ToolGroupInfo) =>
      void setEnabled(group, true).catch((error) => toaster.failed(toProblem(error))),
    disable: (group: ToolGroupInfo) => setEnabled(group, false),
    async remove({ group_id, name }: ToolGroupInfo) {
      await client.toolGroups.delete(group_id)
      toaster.done(words.deleted(name))
      await refresh()
    },
  }
}
