/** English sentences that the recogniser is tuned on; written as `held-out.ts` says. */
export const tunedEnglish = `
# en explicit
run_query | I'd like you to use the run_query tool
run_query | Would you mind calling run_query for last week?
run_query | please execute \`run_query\` now
run_query | can we use run_query here?
get_forecast | Try the get_forecast tool for Madrid
weather | Use weather tool for Madrid
github | use GitHub tool, list the authors
mailer | via the mailer tool, tell Bob
search | run search tool for "cv.pdf"
time | Please use the tool "time"
describe_table | describe_table orders
list_tables | Use list_tables and then tell me what you see
read_text | open it with read_text
mall4j.product.search | use the product.search tool to find lamps
detect_language | use translator.detect_language
stock_price | Please use the tool \`stock_price\`
create_issue | call github.create_issue with title "bug"
run_query | use the run_query tool
run_query | Please use the run_query tool to find the best customers
run_query | use run_query: select 1
run_query | call run_query
run_query | can you run run_query for me
run_query | run the run_query tool
run_query | I want you to use \`run_query\` here
run_query | use the run query tool
run_query | Use the RUN_QUERY tool
run_query | use the run-query tool
run_query | use the tool run_query
run_query | using run_query, count the rows
run_query | run_query please
list_tables | call db.list_tables
list_tables | try list_tables first
describe_table | use the 'describe_table' tool on orders
describe_table | use warehouse-db.describe_table for orders
mall4j.order.get_detail | use the mall4j.order.get_detail tool for order-0042
mall4j.order.get_detail | Call shop.mall4j.order.get_detail
mall4j.product.search | run product.search for lamps
mall4j.stock.check | invoke stock.check for product-042
get_forecast | call get_forecast for Paris, please
get_forecast | use the get_fore tool for Paris
current_conditions | run the current conditions tool for Rome
weather | use the weather tool
github | use github to find the author
github | ask the github tool about it
create_issue | use github.create_issue to report it
create_issue | Let's call create_issue
list_pull_requests | execute list_pull_requests
search_code | use search_code to find parseConfig
filesystem | use the filesystem tool to list my files
search | use the search tool to find report.pdf
search | call the "search" tool
send_mail | use send_mail to write to Bob
search_mail | call search_mail for the contract
mailer | use the mailer tool
translator | use the translator tool for this letter
detect_language | use detect_language on this text
countdown | use the countdown tool for Christmas
stock_price | use the stock_price tool for ACME
stock_price | call the \`stock_price\` tool
magic-wand | use the "magic-wand" tool
foo | /tool foo
run_query | /tool run_query select count(*) from users
# en keyword
weather | how's the weather?
github | review my pull request please
github | I use github every day
mall | has my refund arrived
warehouse-db | can you write SQL?
mall | Order status, please
mall | which sku sells best
warehouse-db | explain this SQL to me
warehouse-db | sql: top ten customers
warehouse-db | is the data warehouse up to date?
weather | weather in London
weather | Will the weather be good?
weather | give me a forecast
github | what is new on github?
github | Is C++ hard to learn?
github | my PR was merged
mailer | clean up my inbox
mailer | write an e-mail to the team
clock | change my time zone
weather | I need the weather and an order status
# en normal
what should I call it
can I call you Bob?
call for help
calling all engineers
call the function twice
use it or lose it
use of force
we use the same tool for everything
which tool did you use?
how do tools shape culture
use this tool carefully
the tool is broken
run time is too long
run out of time
search for truth
try harder
ask the team
ask the manager about the tool
with great power comes great responsibility
I would rather not use the search tool
a tool called hammer
use the time you have
use the force
the weatherman was wrong
forecasts are hard
SQLAlchemy is nice
use "quotes" around words
call \`malloc\` returns null, why?
use \`const\` instead of \`let\`
what does call by reference mean
which tool should I use
what is the best tool for this
I need a better tool
use a hammer to drive a nail
use the correct tool
use the best tool available
use any tool you like
use tools wisely
call me maybe
call me when you are done
give me a call
call it a day
call the police
I called yesterday
what is a system call
how to draw a call graph
phone calls are annoying
run for your life
run the numbers again
run along
my nose runs
running is healthy
use Python to sort a list
use bullet points
use a table
use the following text
use this as an example
used cars are cheap
users are unhappy
try again
try to be brief
with all due respect
execute order sixty-six
execution was slow
invoke the spirit
don't call send_mail
never use create_issue
without the search tool, how would you do it?
avoid the get_forecast tool
please stop using run_query
write a function called read_text
define a method named run_query
MySQL is slow
PostgreSQL indexes
what is NoSQL
SQLite is small
whether it rains or not
weathered wood looks nice
forecasting methods in statistics
the prices are high
the search for meaning
time is money
time management tips
search your feelings
a shop around the corner
he wanted to clock in
hello
good morning
who are you
what can you do
tell me a joke
summarise this article
explain quantum computing
recommend some books
what is one plus one
how are you today
thanks a lot
translate this into French
what is the meaning of life
give me three ideas for a party
I can't remember my password
I forgot to buy milk
he will never forget her
remembering names is hard
a day to remember
memory foam mattresses
unforgettable moments
the rejection letter was polite
# en memory
Remember my birthday is in May
Please don't forget I have two kids
Can you keep in mind that I'm in Berlin
Remember that my name is Ann
please remember I live in Berlin
remember: no meetings on Friday
remember to answer in German
Don't forget that I am vegetarian
do not forget my deadline is Monday
please forget everything I said
forget that
Do you remember my name?
can you remember my favourite colour is blue
keep in mind that I hate spam
make a note that the budget is 5000
# en hitl
Yes, please.
Yes, approve it
ok go ahead
sure
No thanks
reject this
please don't
approved, thanks
yes do it
yes
ok
approved
I approve
go ahead
sure, do it
confirm
proceed
no
No.
no, don't
reject
denied
cancel
stop
decline, too risky
not now
# en normal pending
yes men are annoying, how do I deal with them?
no one knows how this works, do you?
stop motion films: how are they made?
ok google how does this work
cancel culture explained
what would happen if I approve?
`
