/**
 * Never tuned on. `# language class` heads a group (`pending`: while an approval is); before the
 * bar stands the tool or server that the sentence means, after it the sentence.
 */
export const heldOutSentences = `
# zh explicit
list_tables | 请先用list_tables工具看看库里都有什么
run_query | 直接上 run_query 吧，查一下留存率
get_forecast | 给我调用get_forecast工具，城市填苏州
send_mail | 用mailer.send_mail通知大家下午开会
mall4j.order.list | 麻烦使用 mall4j.order.list 把昨天的拉出来
search_code | 利用search_code工具搜一下登录逻辑
current_conditions | 用“current_conditions”看一下现在的情况
翻译文本 | 请用翻译文本工具，把附件处理一下
filesystem | 使用filesystem工具，看看桌面上有什么
舆情分析 | 用“舆情分析”工具看看大家怎么说
run_query | 帮我用 RUN_QUERY 工具统计人数
list_tables | 用 db_list_tables 工具
mall4j.stock.check | 运行 stock.check 工具，商品 product-042
weather | 调用 weather 服务
fs | 使用 fs 工具
翻译 | 用翻译来处理这份文件
stock_price | 调用 \`stock_price\`，代码 600519
run_query | 用 run_query 工具统计上个月的新增用户
run_query | 请使用run_query工具查一下昨天的销售额
mall4j.order.get_detail | 调用 mall4j.order.get_detail，编号 order-0042
mall4j.order.get_detail | 调用get_detail看看 order-0007
get_forecast | 请用 get_forecast 查北京后天
send_mail | 帮我调用 send_mail 给张三发一封通知
list_directory | 麻烦用一下 list_directory 工具，看看 reports 目录
list_directory | 执行 list_directory
翻译文本 | 用翻译文本工具处理下面这段话
翻译文本 | 请调用翻译文本：Good morning
翻译 | 用翻译工具把这段合同弄成英文
github | 用 github 工具看看有什么新问题
github | 用GitHub工具建一个任务
search_code | 使用 \`search_code\` 找一下 main 函数
create_issue | 用“create_issue”工具提一个缺陷
价格预测 | 用“价格预测”工具算一下明年的走势
price_oracle | 用 \`price_oracle\` 工具算一下
describe_table | /tool describe_table orders
nosuch.tool | /tool nosuch.tool 1 2 3
read_text | 通过 fs.read_text 读一下 readme
read_text | 运行 read_text 工具读取 a.txt
time | 用 time 工具看看纽约现在几点
current_conditions | 能不能用 current_conditions 工具看看上海现在怎么样
db | 用 db 工具看看有哪些表
list_tables | list_tables 跑一下
# zh keyword
mall | 客户说订单少发了一件
warehouse-db | 学SQL从哪里开始
weather | 这种天气适合跑步吗
mailer | 昨天那封邮件说了什么
mall | 仓库库存盘点
mall | 这个sku卖得怎么样
weather | 北京的气温是多少
mailer | 帮我写邮件回复客户
mall | 我的订单怎么还没发货
mall | 这个商品还有库存吗？
mall | 帮我查SKU是否正确
warehouse-db | 写一条SQL看看谁买得最多
warehouse-db | 数据库里有多少客户
weather | 明天深圳天气怎么样
weather | 最近气温变化大吗
github | 这个代码仓库最近谁提交得最多
mailer | 有没有新邮件
翻译 | 把这句话译成法语
clock | 东京在哪个时区
mall | 我想退货，怎么操作
# zh normal
推荐一款剪辑工具
这款工具多少钱
工具和方法哪个重要
我想调一下闹钟
怎样才能用好时间
用三个词形容自己
请用鲁迅的口吻写一段话
使用寿命一般是多久
这段代码调用了两次数据
远程过程调用是什么
我用不惯这个软件
能用大白话说吗
用不用穿外套
执行计划怎么看
通过什么渠道报名
他说别用 send_mail 工具
时间都去哪儿了
搜索引擎优化是什么
翻译这段话
我总是记不住单词
同意的英文怎么说
调用关系图怎么画？
工具箱里有什么
请列出你能使用的工具
请用表格总结
通过考试的秘诀
不要调用 send_mail
什么是SQLite
你是谁
解释一下量子计算
我忘了带钥匙
用什么工具比较好
调用关系图怎么画
有哪些工具可以用
你会用什么工具
这个函数在哪里被调用的
用心做事
我想学习使用各种工具
工欲善其事，必先利其器
用户增长放缓的原因是什么
不要用 run_query 工具，直接告诉我你的想法
MySQL和PostgreSQL哪个好
请用一句话介绍你自己
用三种方法解释这个概念
使用说明书在哪里下载
请用中文回答
怎么提高工作效率
调用栈溢出是什么意思
你好
谢谢你的帮助
写一首关于春天的诗
我忘记密码了怎么办
公司通过了新的预算
给我讲讲用户画像工具的发展历史
哪个画图工具好用
# zh memory
记住，我们的财年从四月开始
不要忘了我不吃香菜
记住：我叫小明
忘了我说过的话
记住我喜欢靠窗的座位
请记一下，我的工号是 8848
你还记得我上次说的预算吗
别忘了我对花生过敏
忘掉我刚才说的生日
# zh hitl
同意，去做吧
不，取消
确认执行
同意执行
允许
不批准，先等等
同意
可以，执行吧
拒绝，金额不对
不行
# zh normal pending
取消会员要多少钱
可以给我讲个笑话吗
好的餐厅有哪些推荐
# en explicit
run_query | hey, use run_query to get me the numbers
get_forecast | what does get_forecast say about Lima
send_mail | now call the send_mail tool
list_directory | Could you run the list directory tool on my home folder?
mall4j.order.get_detail | please run mall4j.order.get_detail with orderId order-0042
github | please use github for that
search_mail | use 'search_mail' to find the invoice
filesystem | call the filesystem server
weather_map | use the weather_map tool
run_query | Call the run_query tool with "select 1"
run_query | use the tool called run_query
mall4j.order.get_detail | call get_detail for order-0042
weather | call the weather server
read_text | run read_text on notes.md
time | use the time tool
run_query | Use the run_query tool to count new users of last month
run_query | please call run_query with select 1
mall4j.order.get_detail | use mall4j.order.get_detail for order-0042
mall4j.order.list | run the order.list tool
get_forecast | could you use get_forecast for Berlin?
get_forecast | Use the Get Forecast tool for Rome
send_mail | invoke send_mail and tell Bob I am late
list_directory | execute the list_directory tool on reports
github | Use the GitHub tool to see what is new
search_code | call \`search_code\` for the main function
price_oracle | use the "price_oracle" tool for gold
price_oracle | run the price_oracle tool
describe_table | /tool describe_table orders
read_text | use fs.read_text on readme.md
filesystem | with the filesystem tool, show me reports
time | call the time tool for New York
create_issue | let's use create_issue: login is broken
db | Use the db tool and show me the tables
# en keyword
warehouse-db | teach me SQL
weather | I love this weather
mall | is a refund possible after 30 days
mailer | my inbox is full
mall | how do I get a refund?
github | show me the open pull request
mall | what is the order status of my lamp?
mall | I want a refund
warehouse-db | Which SQL would give me the top ten customers?
weather | what's the weather like in Oslo tomorrow
weather | Is the forecast good for the weekend?
github | who reviewed the last pull request
mailer | anything new in my inbox?
clock | Which time zone is Lisbon in?
warehouse-db | what does our data warehouse say about churn
# en normal
what would you call this style
please call back later
they call him Ishmael
the best tool is practice
is there a tool that converts pdf files
make good use of your day
use less salt
use your own words
run through the main points
run me a bath
I will try my best
try a different approach
ask me anything
tooling around town
search engines are great
it is time for lunch
clock speed of a processor
file systems compared
I never use the run_query tool
you should not call send_mail
translators earn little
remind me why we are here
I do not remember
what is an approval workflow
rejected papers often get published elsewhere
what tools do you have?
use whatever tool you want
the call was dropped
how do I run a business
useful tips for beginners
do not use the run_query tool
def read_text(path): pass
refunds are a pain
what is a good alias
write a weekly report template
compare cats and dogs
approve of what he did?
call me tomorrow
what tools can I use
use the right tool for the job
Which tool is best for drawing diagrams?
I will call my mother later
the function is called twice
Is MySQL better than PostgreSQL?
don't use the run_query tool, just explain it
use your imagination
run a marathon with me
How do call graphs work?
Tell me about the history of hand tools
use time wisely
I prefer to use simple words
how do I call a function in Python
please use plain English
What a lovely day
Write a poem about spring
I forgot my password
she called the time a gift
Could you use shorter sentences?
time flies
my favourite search engine
# en memory
remember I prefer short answers
do not forget that I work in Tokyo
forget about my address
remember that I like window seats
Don't forget my badge number is 8848
do you remember what I said about the budget?
forget what I told you about my birthday
# en hitl
yes please
nope
go ahead and do it
deny
allow it
don't do it
approve
yes, go ahead
no, don't do that
reject it, the amount is wrong
# en normal pending
why do you need my approval?
no idea what this means, can you explain?
go ahead of schedule is what they said, why?
`
