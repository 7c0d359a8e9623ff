"use strict";(()=>{
const D=document,B=D.body,$=i=>D.getElementById(i),chip=$("live"),say=$("say"),root=D.documentElement;
// figures: the same rules as number.rs
const digits=(n,scaled)=>{const s=Math.abs(n);return s===0?"0":!scaled&&Number.isInteger(n)?n.toFixed(0):s>=99.95?n.toFixed(0):s>=9.995?n.toFixed(1):s>=.01?n.toFixed(2):"<0.01"};
const scaled=(n,step,units)=>{let k=0;while(Math.abs(n)>=step*.9995&&k+1<units.length){n/=step;k++}return digits(n,k>0)+units[k]};
const time=s=>{const w=Math.floor(s);return w<60?digits(s,true)+" s":w<3600?`${Math.floor(w/60)} min ${w%60} s`:w<86400?`${Math.floor(w/3600)} h ${Math.floor(w%3600/60)} min`:`${Math.floor(w/86400)} d ${Math.floor(w%86400/3600)} h`};
const kinds={b:n=>scaled(n,1024,[" B"," KiB"," MiB"," GiB"," TiB"]),bs:n=>scaled(n,1024,[" B/s"," KiB/s"," MiB/s"," GiB/s"," TiB/s"]),ps:n=>scaled(n,1e3,["/s"," k/s"," M/s"," G/s"]),us:n=>n<1e6?scaled(n,1e3,[" µs"," ms"]):time(n/1e6),s:time,r:n=>{const p=n*100;return p===0?"0 %":p<.01?"<0.01 %":p<.995?p.toFixed(2)+" %":p<99.95?p.toFixed(1)+" %":p.toFixed(0)+" %"},n:n=>scaled(n,1e3,[""," k"," M"," G"," T"])};
const show=(v,u)=>v===null?"–":typeof v==="number"&&kinds[u]?kinds[u](v):String(v);
globalThis.polywireFigure=show;
const put=(e,v,u)=>{if(u&&!e.dataset.u)e.dataset.u=u;if(Array.isArray(v)){const p=e.querySelector("path");if(p)p.setAttribute("d",line(v,60,16));return}
if(v===null&&!e.textContent)return;const t=show(v,e.dataset.u);if(e.textContent!==t){const s=getSelection();if(s&&!s.isCollapsed&&s.containsNode(e,true))return;e.textContent=t}};
const line=(ps,w,h,top)=>{const f=ps.filter(p=>p!==null).sort((a,b)=>a-b);top=top||Math.max(f.at(-1)||0,2*(f[f.length>>1]||0))||1;let d="",pen="M";ps.forEach((p,i)=>{if(p===null){pen="M";return}
d+=pen+(i*w/(Math.max(ps.length,2)-1)).toFixed(1)+" "+(h-1-Math.min(Math.max(p/top,0),1)*(h-2)).toFixed(1);pen="L"});return d};
// live: the same address with json=1, one request at a time, only while the page is seen
let paused=false,failed=0,boot=B.dataset.boot,timer=0,busy=false,seq=-1;
const address=()=>{const u=new URL(location);u.searchParams.set("json","1");return u};
const chipSays=t=>{chip.textContent=t;chip.setAttribute("aria-pressed",paused)};
const visible=e=>{const r=e.getBoundingClientRect();return r.bottom>0&&r.top<innerHeight};
const fill=j=>{D.querySelectorAll("[data-v]").forEach(e=>{const[g,...n]=e.dataset.v.split("/"),o=j.val&&j.val[g],k=n.join("/");if(o&&Object.hasOwn(o,k)&&visible(e))put(e,o[k],j.units[g]?.[k])});
D.querySelectorAll("[data-t]").forEach(t=>{const o=j.tab&&j.tab[t.dataset.t];if(!o)return;const rows=new Map(o.rows.map(r=>[r[0],r]));let missing=false;
t.querySelectorAll("tbody tr").forEach(tr=>{const r=rows.get(tr.dataset.r);if(!r){tr.classList.add("z");missing=true;return}
rows.delete(tr.dataset.r);tr.classList.remove("z");if(visible(tr))[...tr.cells].forEach((c,i)=>put(c.querySelector("[data-u]")||c.querySelector("a,span:not([role])")||c,r[i+2],o.units[i]))});
if(rows.size||missing)stale=true});
D.querySelectorAll("[data-p]").forEach(f=>{const o=j.plot&&j.plot[f.dataset.p];if(!o)return;const all=Object.values(o.lines),top=Math.max(...all.flat().filter(p=>p!==null),0);
f.querySelectorAll("svg path").forEach((p,i)=>{if(all[i])p.setAttribute("d",line(all[i],600,120,top))})});
if(j.findings){const list=$("findings");if(list&&list.querySelectorAll(".tw,.tb").length!==j.findings.filter(f=>f.level>0).length)stale=true}
const title=D.title.replace(/^■\d+ /,"");D.title=(j.need?`■${j.need} `:"")+title};
// rows came or went: the server's own page replaces the shown one, when nothing is pointed at, typed or selected
let stale=false,last=0;
const calm=()=>{const a=D.activeElement;return!D.querySelector("tbody tr:hover,tr.on")&&!(a&&/INPUT|SELECT|TEXTAREA/.test(a.tagName))&&getSelection().isCollapsed};
const again=()=>{const now=Date.now();if(stale&&now-last>1e4&&calm()&&D.querySelector("[data-t],#findings")){stale=false;last=now;try{sessionStorage.y=scrollY}catch{}location.reload();return true}};
const ask=async()=>{clearTimeout(timer);if(paused||busy||D.hidden)return;busy=true;const from=performance.now();let wait=1e3;
try{const r=await fetch(address(),{headers:{accept:"application/json"},signal:AbortSignal.timeout(15e3)});if(!r.ok)throw Error(r.status);const j=await r.json();if(!j.v){chip.hidden=true;busy=false;return}
if(boot&&j.boot!==boot){say.textContent=`started ${time(j.seq)} ago: counters began anew`}boot=j.boot;
seq=j.seq;B.dataset.seq=seq;$("up").textContent=time(seq);failed=0;B.classList.remove("old");fill(j);const skew=Math.round(j.at-Date.now()/1e3);chipSays(Math.abs(skew)>2?`live · server's clock ${skew>0?"+":""}${skew} s`:"live");if(again())return;
wait=Math.max(1e3,20*(performance.now()-from))}catch(e){failed++;wait=Math.min(1e3*2**(failed-1),15e3);if(failed>2){B.classList.add("old");chipSays("no answer")}}
busy=false;timer=setTimeout(ask,wait)};
const pause=()=>{paused=!paused;say.textContent=paused?"paused "+new Date().toLocaleTimeString():"";chipSays(paused?"paused":"live");if(!paused)ask()};
const here=D.querySelector("nav [aria-current]");if(here)here.parentNode.scrollLeft=here.offsetLeft-innerWidth/2;
chip.hidden=false;chip.onclick=pause;
if(D.querySelector("[data-v],[data-t],[data-p]")&&!/\bpause\b/.test(location.search)&&!D.querySelector("form.a[method=post] textarea"))timer=setTimeout(ask,1e3);else chip.hidden=true;
D.addEventListener("visibilitychange",()=>{if(!D.hidden)ask()});
try{if(sessionStorage.y){scrollTo(0,+sessionStorage.y);delete sessionStorage.y}}catch{}
// light and dark
let theme="";try{theme=localStorage.theme||""}catch{}
const wear=()=>{root.classList.remove("light","dark");if(theme)root.classList.add(theme)};wear();
const turn=()=>{const dark=theme?theme==="dark":matchMedia("(prefers-color-scheme:dark)").matches;theme=dark?"light":"dark";try{localStorage.theme=theme}catch{}wear()};
$("theme").hidden=false;$("theme").onclick=turn;
// keys
const go={o:"index",m:"status",c:"connections",y:"try",v:"vars",t:"rpcz",l:"limits",f:"flags"};
let g=false,at=-1;
const walk=d=>{const rows=[...D.querySelectorAll("tbody tr")];if(!rows.length)return;rows[at]&&rows[at].classList.remove("on");at=Math.min(Math.max(at+d,0),rows.length-1);rows[at].classList.add("on");rows[at].scrollIntoView({block:"nearest"})};
D.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;const field=/INPUT|SELECT|TEXTAREA/.test(e.target.tagName);
if(e.key==="Escape"){e.target.blur();D.querySelectorAll("tr.on").forEach(r=>r.classList.remove("on"));at=-1;return}
if(field)return;
if(g){g=false;if(go[e.key]){location.href=B.dataset.root+go[e.key];return}}
switch(e.key){case"/":$("find").focus();e.preventDefault();break;case"g":g=true;break;case"j":walk(1);break;case"k":walk(-1);break;
case"Enter":if(at>=0){const a=D.querySelector("tr.on a");if(a)a.click()}break;case"u":if(B.dataset.root)location.href="./";break;
case"p":pause();break;case"r":ask();break;case"t":turn();break;case"?":say.textContent="/ find · g o overview, g m methods, g c connections, g v vars, g l limits, g f flags, g y try · j k rows · Enter open · p pause · r now · t light or dark"}});
})();
