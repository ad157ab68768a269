import { describePrograms, describeTables, readPage, testLinks } from './readme/describe-page.ts'

const page = await readPage('the page of data', 'packages/data')

await describeTables(page, [
  'EngineMeans',
  'SourcesOptions',
  'NewSource',
  'QueriesOptions',
  'DataToolMeans',
  'ServeDataOptions',
  'CsvOptions',
  'XlsxOptions',
  'CitationInput',
  'RetailSampleOptions',
])

describePrograms(page, {
  startPlaces: async () => ({}),
  prints: [
    /^\[ \[ 'East', 30 \], \[ 'West', 20 \] \]\nEast +█+ +30\nWest +█+\S? +20\n/,
    /^q1 \[ \[ 50 \] \]\n12 %\n\[[\s\S]*'run_sql'[\s\S]*'save_question'/,
    /^item\r\nLamp\r\n"'=1\+1"\r\n$/,
  ],
})

testLinks(page)
