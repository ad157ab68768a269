import type { ToolGroupWithKey } from '@dataagent/schema'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/use-words.ts'
import { BackLink } from './back-link.tsx'
import { exposeWords } from './expose-words.ts'
import { GatewayView } from './gateway-view.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupTable } from './group-table.tsx'
import { NewKey } from './key/new-key.tsx'
import { useGroups } from './use-groups.ts'

/** What is offered to MCP clients of others. */
export function ExposePage() {
  const words = useWords(exposeWords)
  const navigate = useNavigate()
  const groups = useGroups()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<ToolGroupWithKey>()

  const create = (
    <Button
      data-tour="new-group"
      kind="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      onClick={() => setMaking(true)}
    >
      {words.create}
    </Button>
  )

  function open({ group }: ToolGroupWithKey) {
    setMade(undefined)
    void navigate({ to: '/tools/expose/$groupId', params: { groupId: group.group_id } })
  }

  return (
    <Page
      title={words.title}
      about={
        <span className="flex flex-col gap-1">
          <BackLink to="/tools" text={words.back} />
          {words.about}
        </span>
      }
      actions={groups.data?.length ? create : undefined}
    >
      <GatewayView query={groups}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<Share2 />} title={words.emptyTitle} action={create}>
              {words.emptyAbout}
            </Empty>
          ) : (
            <GroupTable groups={found} />
          )
        }
      </GatewayView>
      {isMaking && <GroupForm onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <NewKey made={made} onClose={() => open(made)} />}
    </Page>
  )
}
