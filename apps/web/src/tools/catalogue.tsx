import { SquareTerminal } from 'lucide-react'
import { useIsAdmin } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useWords } from '../words/use-words.ts'
import type { Adding } from './add-dialog.tsx'
import { catalogueWords } from './catalogue-words.ts'
import { ExampleList, FormatList } from './example-list.tsx'
import { exampleWords } from './examples.ts'
import { useTemplates } from './use-servers.ts'

interface CatalogueProps {
  mayAdd: boolean
  onAdd(adding: Adding): void
}

/** What there is to add: the commands that are approved, and examples. */
export function Catalogue({ mayAdd, onAdd }: CatalogueProps) {
  const words = useWords(exampleWords)
  return (
    <div className="flex flex-col gap-8">
      <Commands mayAdd={mayAdd} onAdd={onAdd} />
      <section className="flex flex-col gap-3">
        <div>
          <h2 className="font-semibold">{words.title}</h2>
          <p className="text-sm text-soft">{words.about}</p>
        </div>
        <ExampleList disabled={!mayAdd} onUse={(config) => onAdd({ way: 'form', config })} />
      </section>
      <section className="flex flex-col gap-3">
        <div>
          <h2 className="font-semibold">{words.formats}</h2>
          <p className="text-sm text-soft">{words.formatsAbout}</p>
        </div>
        <FormatList disabled={!mayAdd} onUse={(text) => onAdd({ way: 'paste', text })} />
      </section>
    </div>
  )
}

function Commands({ mayAdd, onAdd }: CatalogueProps) {
  const words = useWords(catalogueWords)
  const isAdmin = useIsAdmin()
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold">{words.commands}</h2>
        <p className="text-sm text-soft">{words.commandsAbout}</p>
      </div>
      <QueryView query={useTemplates()}>
        {(templates) =>
          templates.length === 0 ? (
            <Empty icon={<SquareTerminal />} title={words.noCommands}>
              {isAdmin ? words.noCommandsAdmin : words.noCommandsUser}
            </Empty>
          ) : (
            <ul className="grid gap-3 md:grid-cols-2">
              {templates.map((template) => (
                <li
                  key={template.name}
                  className="flex flex-col items-start gap-2 rounded-xl border border-line bg-panel p-4"
                >
                  <h3 className="font-medium">
                    <PlainText text={template.name} />
                  </h3>
                  <code className="text-[13px] text-soft [overflow-wrap:anywhere]">
                    <PlainText text={[template.command, ...template.args].join(' ')} />
                  </code>
                  {template.env && template.env.length > 0 && (
                    <p className="text-[13px] text-soft">
                      {words.variables}: {template.env.join(', ')}
                    </p>
                  )}
                  <Button
                    size="small"
                    className="mt-auto"
                    disabled={!mayAdd}
                    aria-label={words.takeOf(template.name)}
                    onClick={() => onAdd({ way: 'form', template })}
                  >
                    {words.use}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
