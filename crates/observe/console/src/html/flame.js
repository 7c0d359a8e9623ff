(()=>{const F=document.querySelector(".fl");if(!F)return;
const S=F.querySelector("svg"),B=[...S.children],I=F.querySelector("input"),R=F.querySelector("button"),T=F.querySelector("[role=status]");
const num=(e,a)=>parseFloat(e.getAttribute(a)),row=e=>num(e,"y")/18;
const X=B.map(e=>({e,x:num(e,"x"),w:num(e,"width"),d:row(e),t:e.querySelector("title").textContent}));
const name=t=>{const n=t.split("\n")[0];if(n.includes("<"))return n;return n.split("::").slice(-2).join("::")};
let at=null;
const label=o=>{if(o.e.querySelector("text"))return;const t=document.createElementNS("http://www.w3.org/2000/svg","text");t.setAttribute("x",3);t.setAttribute("y",13);t.textContent=name(o.t);o.e.append(t)};
const zoom=to=>{at=to;R.hidden=!to;const x=to?to.x:0,w=to?to.w:100,eps=1e-4;
for(const o of X){const above=to&&o.d<to.d&&o.x<=x+eps&&o.x+o.w>=x+w-eps,inside=o.x>=x-eps&&o.x+o.w<=x+w+eps&&(!to||o.d>=to.d);
o.e.style.display=above||inside?"":"none";o.e.classList.toggle("up",!!above);
const s=above?0:(o.x-x)*100/w,l=above?100:o.w*100/w;o.e.setAttribute("x",s+"%");o.e.setAttribute("width",l+"%");if((above||inside)&&l>=.8)label(o)}
say()};
const say=()=>{const q=I.value.trim().toLowerCase();let sum=0;const hits=[];
for(const o of X){const hit=q&&o.t.split("\n")[0].toLowerCase().includes(q);o.e.classList.toggle("hit",!!hit);if(hit)hits.push(o)}
/* a match below another match is part of it */
hits.sort((a,b)=>a.d-b.d);const top=[];for(const o of hits)if(!top.some(p=>o.x>=p.x-1e-4&&o.x+o.w<=p.x+p.w+1e-4)){top.push(o);sum+=o.w}
T.textContent=q?hits.length?sum.toFixed(1)+" % matched":"nothing found":at?at.t.replace("\n",": "):""};
const focus=o=>{if(!o)return;X.forEach(p=>p.e.removeAttribute("tabindex"));o.e.setAttribute("tabindex",0);o.e.focus()};
const of=e=>X.find(o=>o.e===e.closest(".fl svg svg"));
const near=(o,k)=>{const v=X.filter(p=>p.e.style.display!=="none"),in_=(a,b)=>a.x>=b.x-1e-4&&a.x+a.w<=b.x+b.w+1e-4;
if(k==="ArrowUp")return v.find(p=>p.d===o.d-1&&in_(o,p));
if(k==="ArrowDown")return v.filter(p=>p.d===o.d+1&&in_(p,o)).sort((a,b)=>b.w-a.w)[0];
const same=v.filter(p=>p.d===o.d).sort((a,b)=>a.x-b.x),i=same.indexOf(o);return same[i+(k==="ArrowLeft"?-1:1)]};
I.hidden=false;I.addEventListener("input",say);R.addEventListener("click",()=>zoom(null));
S.addEventListener("click",e=>{const o=of(e.target);if(o)zoom(o===at?null:o)});
S.addEventListener("keydown",e=>{const o=of(e.target);if(!o)return;
if(e.key==="Enter")zoom(o);else if(e.key==="Escape")zoom(null);else if(e.key.startsWith("Arrow"))focus(near(o,e.key));else return;
e.preventDefault();e.stopPropagation()});
if(X[0])X[0].e.setAttribute("tabindex",0)})();
