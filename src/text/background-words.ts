/**
 * Common English words, stemmed, by the information in bits that a text contains the word: −log2 of the share of
 * messages that contain it, rounded. The list has the 2484 most common stems of the 46,902 messages, by people and by
 * assistants, in the sessions of LongMemEval (Wu et al., 2024; MIT): everyday talk, instructions, courtesies. It has
 * counts, no texts.
 *
 * Source: K. Spärck Jones, "A statistical interpretation of term specificity and its application in retrieval",
 * Journal of Documentation 28, 1972: weight = −log2(documents with the term / documents).
 */
// Unchecked prose: a list of words.
export const BACKGROUND_WORDS: readonly (readonly [bits: number, stems: string])[] = [
  [0, 'a and the to'],
  [1, 'ar as be can for have i in is it of on or some that with you'],
  [
    2,
    "about also an ani at but by do from get great help here how i'm if includ like make more my new " +
      'other provid their these thi think time us wai what which your',
  ],
  [
    3,
    "add addition all area been befor check consid could creat differ don't ensur experi explor featur " +
      "feel few find follow good ha i'll i'v idea inform interest into just keep know look mai mani me " +
      'might most need not offer option out person plan popular recommend rememb set so specif start such ' +
      "sure take thei them there tip try up wa want well when while who will work you'll you'r",
  ],
  [
    4,
    'abl access activ ad adjust after allow alwai around ask avail avoid back balanc base best better ' +
      'between book both brand build busi challeng chang choic choos color combin come comfort commun ' +
      'continu cultur custom dai definit depend design detail develop down dure each easi effect engag ' +
      'enjoi especi essenti even event exampl excel famili first fit focu focus food free friend fun ' +
      "gener give go goal group had happi high hope howev i'd impact import improv increas inspir issu " +
      'kei known languag lead learn let level life light list live local locat long love made maintain ' +
      'manag market media mind mix model music natur now often onlin open organ over overal own peopl ' +
      'perfect perform place plai point potenti power practic prefer prepar process product qualiti ' +
      'question rang reach read realli reduc requir research resourc review right see servic sever share ' +
      'should show signific similar sinc skill small social sound space special stai step still store ' +
      'style sugges support system techniqu than thing those through tool top track tradition type ' +
      'understand uniqu valu variou water we websit week where wonder world would ye year',
  ],
  [
    5,
    'abil account achiev action actual adapt address advanc advic affect ai along alreadi altern amaz ' +
      'amount anoth app appli appreci approach art artist assist atmospher atten attend audienc awar ' +
      'beauti becom benefit bit blend bodi break bring budget bui call card care case caus celebr center ' +
      'certain charact citi class classic clean clear close cloth coffe collabor collec common compani ' +
      'compar complet complex concern condition congratul connec connect consist contain content control ' +
      'convers cook cost countri cours cover creativ crucial current daili data date deal decision dedic ' +
      'delici depth determin digit discuss dish doe drive easier educ effici effort element emotion ' +
      'encourag end energi enhanc environ establish everi excit exercis expect extra ey face factor ' +
      'fantast favorit feedback field flavor flexibl form found fresh friendli function further futur ' +
      'game glad googl got govern grow growth guid guidanc habit hand handl health healthi hear her hi ' +
      'histori hold home hour human identifi implement incorpor individu industri influenc ingredi initi ' +
      'insight intern introduc invest involv item journei kind knowledg larg last late leav limit line ' +
      'listen lot low luck materi meal mean measur meet member mention method minut modern monitor month ' +
      'morn motiv move much multipl must name nation necessari network next no non note number off oil ' +
      'old onc onli opportun optim our pair park part parti particip past pattern photo physic piec plant ' +
      'platform pleas polici posit possibl post prevent price priorit produc profession program progress ' +
      'project promot protect public purchas quickli rate real receiv recent recip record reflect regular ' +
      'regularli relat relationship relax relev remov respons result rich risk role room routin run safe ' +
      'sale same save schedul search season secur select self sens seri serv shape shop short showcas ' +
      'side simpl size solution someth sourc speak spot state stori strategi strong structur success ' +
      "suggest sustain sweet target task tast team technolog tell term textur thank theme then they'r " +
      'thought throughout togeth too topic touch toward train travel trip turn two ultim until updat user ' +
      'usual valuabl vari varieti video view visit visual walk warm watch wear were why wide within ' +
      "without worth write you'v yourself",
  ],
  [
    6,
    'abov accessori accommod accord accordingli accur across act advantag adventur afford afraid ag ' +
      'again against ahead aim air align am amazon american among analysi analyz anim answer anyth appeal ' +
      'appear appl applic articl aspect assess associ attract authent author awai background bag bake bar ' +
      'basic becaus bed begin beginn behavior behind belief believ big bike black blog blue board boost ' +
      "bowl box breakfast breath brief bright brown built calm camera campaign can't cannot captur car " +
      'carefulli carri catch categori certif chanc channel chees chicken climat club code collect com ' +
      'commit complement comprehens comput concept confid conserv consult consum contact context ' +
      'contribut conveni cool correct cozi craft cream critic cuisin cup curiou cut cycl damag danc dark ' +
      'decid decor deep deeper demand descrip desir devic did difficult dinner direct directli discount ' +
      "discov discus displai distanc dive divers divid document doesn't done draw dress drink dry due " +
      'durabl dynam earli earlier easili eat eco econom egg els email emerg enabl engin enjoy enough ' +
      'entertain enthusiast entir environment equip etc evalu everyon everyth exist expens experienc ' +
      'expert expertis explain express facebook fall familiar famou far fascin fast festiv figur file ' +
      'fill film filter final financi finish fish flow forget format forum forward foundat frequent fruit ' +
      'full gain garden garlic gather gear genr gentl gift glass global grab gradual green grill ground ' +
      'guest guidelin hard he head healthcar heard heart heat herb hesit higher highli highlight hike him ' +
      'histor host hot hotel hous icon ideal ident imag impress incred innov instagram instal instead ' +
      'instruc integr intens interact job join journal label landscap larger later latest law layer least ' +
      'led less librari littl longer lower lunch machin main mainten major manufactur master match mechan ' +
      'medic medit medium memori mental messag minim miss mobil moistur moment monei movement movi museum ' +
      'navig near neg never nice night notic nut object offic oper opinion opt order origin outdoor ' +
      'outsid overwhelm pace pack packag page pai paint paper particular particularli partner pass ' +
      'patient peac pepper per period perspect phone photographi player plenti polit pop position present ' +
      'preserv pressur previou privat pro problem profil promotion proper properli properti protec ' +
      'protein purpos push put quick rais rather readi reason recogn red refer refresh regard region ' +
      'regul releas reliabl remain remind replac report repres reput resist reson respect respond rest ' +
      'restaur return reward rice ride road roast rock roll rout rule safeti sai salt sauc scale scene ' +
      'school scienc second section seed seek seem seen selec sell separ session she shoe sign simpli ' +
      'singl site situat sleep slightli slow smaller smooth snack societi soft softwar someon song soon ' +
      'speed spend spice sport stand standard station stick stop storag street strength stress stretch ' +
      'struggl student studi stun subject sugar suit suitabl summari summer suppli surfac surround tabl ' +
      'tailor talk tea temperatur test text three thrill titl todai tomato tone total tour trail ' +
      'transport treat trend true trust tutori tv twist typic under unit univers upcom util veget veri ' +
      'vintag wait wall war wast weather weekend weight whether white whole women word workout workshop ' +
      "worri yoga you'd youtub",
  ],
  [
    7,
    'absolut absorb abstract accept accomplish accuraci acid acknowledg adopt aesthet agenc ago agre ' +
      'agricultur aid album alert algorithm alloc almond amen america analyt ancient angl antiqu anxieti ' +
      'apart apolog apprais appropri architectur arm arrang arriv artifici artwork asid assign assum ' +
      'attach attrac audio autom automat averag avocado ball banana band bank barrier basil basket batch ' +
      'batteri bbq beach bean beautifulli beef bell benefici berri beyond bird birthdai bite block bold ' +
      'boot bottl bottom bought boundari bread breast bridg british brows brush butter button cafe calcul ' +
      'calendar california candl capabl capac carbon career carrot cast casual categor cater central ' +
      'centuri certainli certifi chain characterist charg chariti charm chat chemic cherri chicago ' +
      'children chili chip chocol chop civil clarifi cleaner clearli click client cloud clutter co coach ' +
      'coat coconut cold colleagu collector colleg column comment commut compact comparison compat ' +
      'competi competit compon composi con concert concis conclusion conduct confer confirm conflict ' +
      'confusion consequ consider construc contemporari contrast convei coordin copi core corner ' +
      'correctli count coupon creami creation credit cross crowd curat databas de deadlin death defin ' +
      "degre delai delic delight deliv deliveri demonstr depart describ despit dessert destin dice didn't " +
      'diet dietari difficulti dine dip direc dirt discoveri diseas distinct distrac dog donat door doubl ' +
      'download dr dream dri driven drop durat dust earn earth eas economi ecosystem edg edit either ' +
      'electr electron eleg elev emphas emphasi employ employe encount endur english enter equal era ' +
      'error estim ethic ever evid evolv exact examin excess exchang exclus execut exhibi expand ' +
      'experiment exposur expres extend extens extrem fabric fact fair fan farm farmer fashion faster fat ' +
      'februari fee feed feet fellow fertil fi fiber fiction fight financ fine fire fix flat flight floor ' +
      'flower foot forc forest foster four frame freedom french frequenc fri fridai front frustrat fuel ' +
      'fulli fund furnitur ga galleri gender gentli ginger girl given goe gold golden grain graphic grate ' +
      "greater greek groceri guitar habitat hang happen harm harmoni harsh hashtag haven't heavi height " +
      'heritag hidden hill hip hire hit hobbi homemad honei honest hook http huge humid humor hunt hydrat ' +
      'ic ii imagin immedi immers inch inclus incom inde independ indi indian indic infrastructur infus ' +
      'injuri input insid inspect institu instructor instrument insur intellig interac interfac internet ' +
      'interview intric invit island italian itself japan japanes jean jewelri john joi juic justic ' +
      'keyword kid kit kitchen korean la lack lake land landmark laptop launch layout leader leadership ' +
      'leather left leg legal lemon length lesson letter leverag lifestyl lighter lightweight link load ' +
      'log loss lost loyalti luxuri magic man map march marin mark marketplac matter max maxim mayb ' +
      'meaning meat memor menu met metal metric mid mild mile milk minimalist mint mission mistak mitig ' +
      'mixtur mode moder modifi mondai mood motion mount mountain multi muscl mushroom myself mysteri ' +
      'narr narrow nearbi necklac negoti neighborhood neutral nois north notabl novel numer nutrient ' +
      'nutrition oat observ occasion ocean offici okai oliv ongo onion onto orang otherwis outcom outfit ' +
      'outlin oven overcom overview owner pad pain parent pari partnership passion pasta path patienc ' +
      'payment peak perfectli persist pet photograph phrase pick pictur plastic playlist plot plu pm ' +
      'podcast popul portabl portion pose pot potato powder pre predict premium prep presenc press pretti ' +
      'principl print prioriti profit prompt provok python quiet quinoa quit quot race rachel rare reader ' +
      'realist realiti realiz recogni recoveri recycl refin reflec rel reli remot renew rent repair ' +
      'repeat represent request reserv restor restric retail rhythm rise river romant root rotat rough ' +
      'round rug said salad sampl san sandwich satisfi saturdai savori saw scenic score scratch screen ' +
      'sculptur sea seafood seat secret send sensit setup shade sheet shelv shift ship shoot shorter shot ' +
      'shoulder signatur significantli silver sister sit skin sleek slice smart smoke soap soil solid ' +
      'solo solv sometim sophist soup south speci specialti spent spici spinach spirit spiritu spread ' +
      'spring sprinkl stabil staff stage star statement statu stir stock storytel strateg stream stronger ' +
      'studio sturdi stylish subscrip subtl sun sundai sunlight surpris surviv swim switch symbol tackl ' +
      "tag taken talent tax teach tech technic templat tend tender tension themselv therefor they'll " +
      'thick third thrive ticket timelin tire toast tokyo took tough town trade traffic transfer ' +
      'transform transition transpar treasur treatment tree tri truli tune twitter unexpect unsur upgrad ' +
      'upon urban usag valid variat vast vegan veggi vehicl venu verifi versatil version vibe vibrant ' +
      "virtual visibl vision visitor voic volunt wake wash we'r weak wealth web weekli welcom west wider " +
      "wildlif win wind window wine winter wish woman won't wood worn wow wrap written yeah yet yogurt " +
      'york young zone',
  ],
  [
    8,
    'academ accumul acquir adequ administr adult advertis advoc african afternoon agent airlin airport ' +
      'airtight alex alon although ambianc android angel annual anti anyon appoint approxim april argu ' +
      'aris artisan asian assembl asset athlet attack attempt attitud august award awesom babi backpack ' +
      'bad bai bath battl beat becam bedroom belong below bill bin blanket blast blood boil bond brain ' +
      'branch breakdown breathabl breathtak broader broccoli broth brother brought bu burn buyer cabl ' +
      'cake camp capit caption caramel cash cat cautiou ceram ceremoni chair changer chapter child china ' +
      'chines chosen church cilantro cinnamon circl citru claim clariti climb closer cocktail cohes coin ' +
      'combat comedi command commerci commonli compart compel compet concentr configur constantli ' +
      'construct consump contract contribu convert cooper corpor cotton coupl coursera court coverag ' +
      'cowork creator crime crispi criteria cucumb cultiv customiz dairi danger dataset dealer debat ' +
      'debri decad declutt decreas deepli defens delv desk detect dii directori discomfort discourag ' +
      'distribu distribut district doctor documentari domin downtown drain drama driver drizzl ear earthi ' +
      'east ebai edition elimin embrac emis empathi empow energ entri episod escap estat europ european ' +
      'evenli eventu everydai evok excep exhibit expir explan expos extern extract facil facilit fade ' +
      'fantasi fatigu fear felt femal finger firm five flake flour fly folder folk footprint forecast ' +
      'foreign formal formula framework francisco freez frozen fry fulfil fundament furthermor gap gem ' +
      'genuin glaze god gp grade graduat grand granola grant gratitud grip guarante guess gym hair half ' +
      'handmad harder harvest hat healthier heavili held hide holidai honor hop hospit household hub ' +
      'hybrid id illustr implic india indoor inequ instanc institut inten interpret interv intim ' +
      "inventori investig io isn't it'll itinerari jacket januari jazz joint jump june kick kill king " +
      'labor laid lamp largest leagu lean len lentil licens lift lime linkedin liquid literatur lo lock ' +
      'loop lose lover lyric magazin manner manual margin mask massiv mat maximum meetup melt men mentor ' +
      'michael microsoft middl mileston militari million mindset mini minimum mirror mom monthli moral ' +
      'moreov mother mouth musician nativ net netflix newslett nich noodl normal notif nuanc nutriti ' +
      'obstacl obtain occur oh older orient outlet output overnight paid palett pan pandem panel peanut ' +
      'percentag pest planet plate pocket polish pollution pool poor pork postur pour primari primarili ' +
      'prime privaci prize proactiv probabl procedur promin promis prone proof propos proven psycholog ' +
      'publish pursu quantiti rack ratio raw re receipt recharg recov recreat reddit redeem refriger ' +
      'regardless regist reinforc relief religi renown rental resid resili resolu resolv retain reusabl ' +
      'reveal revenu revis ring robust rose row royal rush salsa scan scenario sceneri scent scheme sci ' +
      'scientif scientist script sector segment seller sentenc sentiment seo seriou server shadow sharp ' +
      'shelf shirt shower shown sight signal skincar slowli smartphon smoki smoothi smoothli sneaker soak ' +
      'soi sole sooth sorri sort soul sour spark speaker specifi sprai spreadsheet squar squeez stabl ' +
      'stack stain stakehold stapl statist steam steel stem stimul stone straight streamlin strengthen ' +
      'strike string strip submit successfulli suffici super supplement symptom syrup tablespoon tablet ' +
      "tactic tangi tap teacher tear teaspoon terrain theater theori therapi they'v thin thoroughli " +
      'though threat throw thursdai tidi tie tight timeless timer tofu toi toss tourism tourist towel ' +
      'tower tracker transac translat trendi trial trick trigger troubl tuesdai uk underli union ' +
      'unpredict unwind upload upper vacat vallei vanilla variabl vase vendor vertic via viewer villag ' +
      "vinegar volum vs vulner warmth warranti waterproof wave we'll we'v wed wednesdai weigh went " +
      'western wet wheel wi width wild wipe wise withstand wooden worker workflow writer wrong www yellow',
  ],
];

/** Boilerplate words of web pages and letters, stemmed. They are rare in talk; entropy pruning counts them as common. */
// Unchecked prose: a list of words.
export const FURNITURE: string =
  'advert advertis alert apolog apologis appendix articl attach author blog button captcha chapter ' +
  'click comment compliment contact contents cooki copyright dear dismiss download draft email ' +
  'enquiri enter error faq figur footer forward header hello hesit homepag icon inbox inconveni ' +
  'instruc invalid kindli lesson link load login logout madam menu messag navig newslett notic notif ' +
  'ok okai overview owner page paragraph password popup prefac preview previou print privaci proceed ' +
  'promotion receiv refresh regard regist repli request reserv screen scroll section send sent ' +
  'shortli sidebar sign signup sincer sir sitemap skip slide sponsor submit subscrib subtitl summari ' +
  'tabl tap titl trademark tutori unsubscrib untitl upload usernam visitor welcom window wish';
