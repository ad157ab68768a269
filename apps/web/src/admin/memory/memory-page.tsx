import { useSettings } from '../../api/use-choices.ts'
import { memoryWords } from '../../memory/memory-words.ts'
import { OwnMemory } from '../../memory/own-memory.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'

/** How long facts are kept, and those about the caller. */
export function MemoryPage() {
  const words = useWords(memoryWords)
  const { sections } = useWords(adminWords)
  return (
    <Page title={sections.memory} about={words.about}>
      <Retention />
      <OwnMemory />
    </Page>
  )
}

function Retention() {
  const words = useWords(memoryWords)
  const formats = useFormats()
  const { data, isError } = useSettings()
  const setting = data?.settings.find(({ name }) => name === 'memory_retention_days')
  return (
    <Panel title={words.retention} about={setting ? words.retentionAbout(setting.env) : undefined}>
      <p className="text-sm">
        {isError && words.retentionUnknown}
        {setting && words.retentionDays(formats.number(Number(setting.value)))}
      </p>
    </Panel>
  )
}
