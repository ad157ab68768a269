import { type GroupName, groups } from './field.ts'
import { shownDefault } from './help.ts'
import { modelVariables } from './model-variables.ts'
import { actions, type Field, fields } from './names.ts'

const introduction = `# Configuration of the server

<!-- Generated from apps/server/src/config by \`npm run docs\`. Change the schema, not this page. -->

No setting is obligatory. Each one can be given in four places; the later wins:

1. its default;
2. the file \`dataagent.config.json\` in the data directory, or the one named by \`--config\` or
   \`DATAAGENT_CONFIG\`: a JSON object whose keys are the names below;
3. its environment variable (one that is empty counts as not set);
4. its flag: \`npm start -- --port 9000\`, \`--port=9000\`; switches as \`--auth-disabled\` or
   \`--no-auth-disabled\`.

A value that is wrong, a flag or a key in the file that does not exist, stops the start with exit
code 2; the message names every such setting and where it came from. Secrets are never printed. A
file that holds secrets should have mode 0600.
`

/** The page docs/configuration.md. */
export function renderReference(): string {
  const sections = (Object.keys(groups) as GroupName[]).map(renderGroup)
  return [introduction, ...sections, renderModels(), renderActions()].join('\n')
}

function renderGroup(group: GroupName): string {
  const rows = fields.filter((field) => field.group === group).map(renderField)
  return [
    `## ${groups[group].en}`,
    '',
    '| name | environment | what it is | value | default |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function renderField(field: Field): string {
  const about = field.secret ? `${field.about.en} (secret)` : field.about.en
  const cells = [`\`${field.name}\``, `\`${field.env}\``, about, field.expected.en]
  return `| ${[...cells, shownDefault(field, 'en')].map(escapeCell).join(' | ')} |`
}

function renderModels(): string {
  const rows = modelVariables.map(
    ({ env, about, secret }) => `| \`${env}\` | ${about.en}${secret ? ' (secret)' : ''} |`,
  )
  return [
    '## Models',
    '',
    'These are read from the environment alone. Providers can also be added while the server runs.',
    '',
    '| environment | what it is |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function renderActions(): string {
  const rows = Object.values(actions).map(({ flag, about }) => `| \`${flag}\` | ${about.en} |`)
  return [
    '## Flags that are not settings',
    '',
    '| flag | what it does |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
