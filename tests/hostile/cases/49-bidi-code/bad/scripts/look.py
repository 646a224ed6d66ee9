def look():
    access = 'user'
    if access != 'none‮⁦': # check⁩ ⁦'
        return {}
