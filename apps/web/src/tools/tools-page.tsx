import { getRouteApi, Link } from '@tanstack/react-router'
import { ClipboardPaste, Plus, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useIsAdmin } from '../api/api-context.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { AddDialog, type Adding } from './add-dialog.tsx'
import { Catalogue } from './catalogue.tsx'
import { OwnServers } from './list/own-servers.tsx'
import { SharedServers } from './list/shared-servers.tsx'
import { TabPanel } from './tab-panel.tsx'
import type { ToolsTab } from './tools-search.ts'
import { toolsWords } from './tools-words.ts'
import { useMayAdd } from './use-may-add.ts'
import { useOwnServers, useSharedServers } from './use-servers.ts'

const route = getRouteApi('/tools')

/** The servers of the caller, those that are shared, and what there is to add. */
export function ToolsPage() {
  const words = useWords(toolsWords)
  const isAdmin = useIsAdmin()
  const { tab = 'mine' } = route.useSearch()
  const navigate = route.useNavigate()
  const [adding, setAdding] = useState<Adding>()
  const mayAdd = useMayAdd()
  useSignInNews()

  const tabs: Tab[] = [
    {
      value: 'mine',
      label: <Counted text={words.mine} count={useOwnServers().data?.length} />,
      content: (
        <TabPanel title={words.mine}>
          <OwnServers onAdd={setAdding} />
        </TabPanel>
      ),
    },
    {
      value: 'shared',
      label: <Counted text={words.shared} count={useSharedServers().data?.length} />,
      content: (
        <TabPanel title={words.shared}>
          <SharedServers />
        </TabPanel>
      ),
    },
    {
      value: 'catalogue',
      label: words.catalogue,
      content: <Catalogue mayAdd={mayAdd} onAdd={setAdding} />,
    },
  ]

  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          {isAdmin && (
            <Link
              to="/tools/expose"
              className="inline-flex min-h-9 items-center gap-1.5 rounded-lg px-3 text-sm text-soft hover:bg-raised hover:text-ink"
            >
              <Share2 aria-hidden="true" className="size-4" /> {words.expose}
            </Link>
          )}
          <Button
            data-tour="add-server"
            disabled={!mayAdd}
            icon={<ClipboardPaste aria-hidden="true" className="size-4" />}
            onClick={() => setAdding({ way: 'paste' })}
          >
            {words.paste}
          </Button>
          <Button
            kind="primary"
            disabled={!mayAdd}
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setAdding({ way: 'form' })}
          >
            {words.add}
          </Button>
        </>
      }
    >
      <Tabs
        label={words.tabs}
        tabs={tabs}
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value as ToolsTab } })}
      />
      {adding && <AddDialog adding={adding} onClose={() => setAdding(undefined)} />}
    </Page>
  )
}

function Counted({ text, count }: { text: string; count: number | undefined }) {
  return (
    <>
      {text}
      {count !== undefined && count > 0 && <span className="ml-1.5 text-soft">{count}</span>}
    </>
  )
}

/** Tells how a sign-in went whose browser has come back, and takes it out of the address. */
function useSignInNews(): void {
  const words = useWords(toolsWords)
  const toaster = useToaster()
  const { sign_in, error_code = '', tab } = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(() => {
    if (sign_in === undefined) return
    if (sign_in === 'done') toaster.done(words.signedIn)
    else toaster.failed(words.signInFailed(error_code))
    void navigate({ search: tab ? { tab } : {}, replace: true })
  }, [sign_in, error_code, tab, navigate, toaster, words])
}
