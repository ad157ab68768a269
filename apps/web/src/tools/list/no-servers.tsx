import { useNavigate } from '@tanstack/react-router'
import { ClipboardPaste, Globe, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useWords } from '../../words/use-words.ts'
import type { Adding } from '../add-dialog.tsx'
import { sampleCommand, sampleConfig } from '../examples.ts'
import { toolsWords } from '../tools-words.ts'
import { useSharedServers } from '../use-servers.ts'

/** Before the first server: three ways to one. */
export function NoServers({ onAdd }: { onAdd(adding: Adding): void }) {
  const words = useWords(toolsWords)
  return (
    <section className="flex flex-col gap-4 rounded-2xl border border-dashed border-line px-4 py-8 sm:px-8">
      <div className="text-center">
        <h3 className="font-semibold">{words.emptyTitle}</h3>
        <p className="mx-auto max-w-prose text-sm text-soft">{words.emptyAbout}</p>
      </div>
      <div className="grid gap-3 md:grid-cols-3">
        <Way
          icon={<ClipboardPaste />}
          title={words.emptyPaste}
          about={words.emptyPasteAbout}
          onChoose={() => onAdd({ way: 'paste' })}
        />
        <Way
          icon={<Globe />}
          title={words.emptyUrl}
          about={words.emptyUrlAbout}
          onChoose={() => onAdd({ way: 'form' })}
        />
        <SampleWay onAdd={onAdd} />
      </div>
    </section>
  )
}

/** The sample shop: to be looked at where it runs, else to be started. */
function SampleWay({ onAdd }: { onAdd(adding: Adding): void }) {
  const words = useWords(toolsWords)
  const navigate = useNavigate()
  const { data: shared = [] } = useSharedServers()
  if (shared.some(({ sample }) => sample)) {
    return (
      <Way
        icon={<Store />}
        title={words.lookSample}
        about={words.lookSampleAbout}
        onChoose={() => void navigate({ to: '/tools', search: { tab: 'shared' } })}
      />
    )
  }
  return (
    <Way
      icon={<Store />}
      title={words.emptySample}
      about={words.emptySampleAbout}
      onChoose={() => onAdd({ way: 'form', config: sampleConfig })}
    >
      <code className="block rounded bg-raised px-2 py-1 text-xs [overflow-wrap:anywhere]">
        {sampleCommand}
      </code>
      <CopyButton text={sampleCommand} />
    </Way>
  )
}

interface WayProps {
  icon: ReactNode
  title: string
  about: string
  children?: ReactNode
  onChoose(): void
}

function Way({ icon, title, about, children, onChoose }: WayProps) {
  return (
    <div className="flex flex-col items-start gap-2 rounded-xl border border-line bg-panel p-4">
      <span aria-hidden="true" className="text-accent [&>svg]:size-5">
        {icon}
      </span>
      <p className="text-sm text-soft">{about}</p>
      {children}
      <Button className="mt-auto" onClick={onChoose}>
        {title}
      </Button>
    </div>
  )
}
